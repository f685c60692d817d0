import { describe, expect, it } from 'vitest'
import { FormError, readForm } from './forms.ts'

describe('a form', () => {
  it.each([
    ['a=1&b=two+words', { a: '1', b: 'two words' }],
    ['a[b]=1&a[c][d]=2', { a: { b: '1', c: { d: '2' } } }],
    ['a[0]=x&a[1]=y', { a: ['x', 'y'] }],
    ['a[]=x&a[]=y', { a: ['x', 'y'] }],
    [
      'l[0][price][amount]=5&l[0][n]=1&l[1][n]=2',
      { l: [{ price: { amount: '5' }, n: '1' }, { n: '2' }] },
    ],
    ['a%5Bb%5D=%F0%9F%94%A5', { a: { b: '🔥' } }],
    ['', {}],
  ])('%s is parsed', (text, read) => {
    expect(JSON.parse(JSON.stringify(readForm(text)))).toEqual(read)
  })

  it('a form cannot reach the object prototype', () => {
    readForm('__proto__[polluted]=1&a[__proto__][polluted]=1&constructor[prototype][polluted]=1')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it.each(['a[5]=x', 'a=1&a[b]=2', 'a[0]=1&a[b]=2', 'a[0]=1&a[0][b]=2', `a${'[b]'.repeat(20)}=1`])(
    '%s is rejected',
    (text) => {
      expect(() => readForm(text)).toThrow(FormError)
    },
  )
})
