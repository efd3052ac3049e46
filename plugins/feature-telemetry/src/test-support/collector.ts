import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A span as a collector decodes it. */
export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  /** 1 internal, 3 client. */
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  /** 0 unset, 2 error. */
  readonly status: number
  readonly durationNs: bigint
  readonly service: unknown
}

/** An OTLP collector on loopback. */
export interface Collector {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** Bodies as received. */
  readonly bodies: readonly string[]
  /** Path and content type of each request. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

interface WireValue {
  readonly stringValue?: string
  readonly intValue?: number | string
  readonly doubleValue?: number
  readonly boolValue?: boolean
  readonly arrayValue?: { readonly values: readonly WireValue[] }
}
interface WireAttribute {
  readonly key: string
  readonly value: WireValue
}
interface WireSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly WireAttribute[]
  readonly status: { readonly code?: number }
}
interface WireRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[]
  }[]
}

const plainValue = ({ stringValue, intValue, doubleValue, boolValue, arrayValue }: WireValue): unknown =>
  arrayValue ? arrayValue.values.map(plainValue) : (stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue)))
const attributesOf = (attributes: readonly WireAttribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]))

/** Starts a collector that responds with `status`. */
export async function startCollector(status = 200): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const requests: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push(`${request.url} ${request.headers['content-type']}`)
      bodies.push(body)
      if (status === 200) spans.push(...decode(JSON.parse(body) as WireRequest))
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const decode = ({ resourceSpans }: WireRequest): readonly CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        name: span.name,
        kind: span.kind,
        attributes: attributesOf(span.attributes),
        status: span.status.code ?? 0,
        durationNs: BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano),
        service: attributesOf(resource.attributes)['service.name'],
      })),
    ),
  )
