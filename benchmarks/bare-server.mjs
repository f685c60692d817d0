// The baseline for all rates: Node's own server returning the same bytes. Its bodies come by path.
import { createServer } from 'node:http'

const bodies = new Map(
  process.argv.slice(3).map((argument) => {
    const [path, body] = argument.split(' ')
    return [path, Buffer.from(body, 'base64')]
  }),
)
const [usual] = bodies.values()
// Connections rest while others are measured.
createServer({ keepAliveTimeout: 72_000 }, ({ url }, response) => {
  const body = bodies.get(url) ?? usual
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  })
  response.end(body)
}).listen(Number(process.argv[2]), '127.0.0.1')
