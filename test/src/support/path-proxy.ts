import { createServer, type IncomingHttpHeaders, type RequestOptions, request as requestOf } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that gives services a path of one host each, as nginx, Caddy and Traefik do. */
export interface PathProxy {
  /** Without a slash at its end; services are below it. */
  readonly origin: string
  /** What it asked the services for, as `GET /path`. */
  readonly passed: readonly string[]
  /** Has it pass what is below the path on; `removesPath`: without the path. */
  serve(path: string, service: { readonly url: string; readonly removesPath: boolean }): void
  close(): Promise<void>
}

/** Listens on a free port. Outside of the paths that it serves it is another service, which knows nothing. */
export async function startPathProxy(): Promise<PathProxy> {
  const services = new Map<string, { readonly url: string; readonly removesPath: boolean }>()
  const passed: string[] = []
  const onwardOf = (method: string, target: string, headers: IncomingHttpHeaders): (RequestOptions & { readonly to: URL }) | undefined => {
    const found = [...services].find(([path]) => target === path || target.startsWith(`${path}/`) || target.startsWith(`${path}?`))
    if (!found) return undefined
    const [path, { url, removesPath }] = found
    const rest = removesPath ? target.slice(path.length) : target
    const asked = rest.startsWith('/') ? rest : `/${rest}`
    passed.push(`${method} ${asked}`)
    return { to: new URL(url), method, path: asked, headers: { ...headers, 'x-forwarded-for': '198.51.100.7' } }
  }
  const server = createServer((request, response) => {
    const onward = onwardOf(request.method ?? '', request.url ?? '', request.headers)
    if (!onward) return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Another service</h1>')
    const asked = requestOf(onward.to, onward, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    asked.on('error', () => response.destroy())
    response.on('close', () => asked.destroy())
    return void request.pipe(asked)
  })
  server.on('upgrade', (request, socket, head) => {
    const onward = onwardOf(request.method ?? '', request.url ?? '', request.headers)
    if (!onward) return void socket.destroy()
    const asked = requestOf(onward.to, onward)
    asked.on('upgrade', (answer, upstream, first) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
      socket.write(first)
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
      socket.on('error', () => upstream.destroy())
      upstream.on('error', () => socket.destroy())
    })
    asked.on('response', ({ statusCode = 502 }) => socket.end(`HTTP/1.1 ${statusCode} Refused\r\nconnection: close\r\n\r\n`))
    asked.on('error', () => socket.destroy())
    asked.end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    serve: (path, service) => void services.set(path, service),
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
