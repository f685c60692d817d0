// The baseline for all rates: Node's own server returning the same bytes.
import { createServer } from 'node:http'

const body = Buffer.from(process.argv[3], 'base64')
createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  })
  response.end(body)
}).listen(Number(process.argv[2]), '127.0.0.1')
