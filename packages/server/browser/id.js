// Adds copy buttons to addresses and the link to edit for the owner, and removes a broken picture. Pages of ids work without this script.
for (const button of document.querySelectorAll('button[data-copies]')) {
  const address = document.getElementById(button.dataset.copies)
  const status = button.parentElement.querySelector('[role="status"]')
  button.hidden = false
  button.addEventListener('click', async () => {
    status.textContent = ''
    try {
      await navigator.clipboard.writeText(address.textContent)
      status.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(address)
      status.textContent = 'Selected. Copy it with your keyboard.'
    }
  })
}

// A stored picture can be broken: only the browser decodes it.
const avatar = document.querySelector('.avatar')
const dropAvatar = () => avatar.remove()
avatar?.addEventListener('error', dropAvatar)
if (avatar?.complete && avatar.naturalWidth === 0) dropAvatar()

// The account remembers own ids in this browser. Other visitors cost no request and see no link.
const edit = document.querySelector('[data-edits]')
try {
  const own = JSON.parse(localStorage.getItem('own-ids') ?? '[]')
  if (edit && own.includes(edit.dataset.edits)) edit.hidden = false
} catch {
  // The browser blocks the storage.
}
