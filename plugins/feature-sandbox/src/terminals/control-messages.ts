import { type Static, Type, validate } from '@agent-service/sdk'
import type { exitSchema } from '../reports/process-view.js'

const side = Type.Integer({ minimum: 1, maximum: 1_000 })

/** What a client says in a text frame; binary frames are what a person types. */
const clientMessage = Type.Union([
  Type.Object({ type: Type.Literal('resize'), columns: side, rows: side }),
  Type.Object({ type: Type.Literal('take') }),
  Type.Object({ type: Type.Literal('pause') }),
  Type.Object({ type: Type.Literal('resume') }),
])

/** A control message of a client. */
export type ClientMessage = Static<typeof clientMessage>

/** A control message of the service, in a text frame; binary frames are output. */
export type ServiceMessage =
  /** First of all: `from` is the position of the first byte of output that follows. */
  | {
      readonly type: 'attached'
      readonly process_id: string
      readonly from: number
      readonly writer: boolean
      readonly columns: number
      readonly rows: number
    }
  /** What was there at the time of the connection has been sent. */
  | { readonly type: 'live' }
  /** Output is missing: `from` is the position of the next byte. */
  | { readonly type: 'skipped'; readonly from: number }
  /** Output with a secret in it: `text` is to be shown, and `from` is the position of the next byte. */
  | { readonly type: 'masked'; readonly text: string; readonly from: number }
  | { readonly type: 'control'; readonly writer: boolean }
  | { readonly type: 'size'; readonly columns: number; readonly rows: number }
  /** Last of all; the connection is closed after it. */
  | ({ readonly type: 'exit' } & Static<typeof exitSchema>)

/** The message in a text frame; `undefined` for one that is none. */
export function readClientMessage(text: string): ClientMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return validate(clientMessage, message).length === 0 ? (message as ClientMessage) : undefined
  } catch {
    return undefined
  }
}

/** How the route describes its frames. */
export const framesDescription = `Binary frames carry bytes, text frames control messages in JSON.

| From the client | Meaning |
|---|---|
| binary | What a person types. Taken from the connection that writes, else dropped |
| \`{"type":"resize","columns":120,"rows":40}\` | The size of the page. Taken from the connection that writes; 1 to 1,000 |
| \`{"type":"take"}\` | This connection wants to write from now on |
| \`{"type":"pause"}\`, \`{"type":"resume"}\` | The page has more output than it can show. A pause ends by itself after 30 seconds |

| From the service | Meaning |
|---|---|
| \`{"type":"attached","process_id":"…","from":0,"writer":true,"columns":80,"rows":24}\` | First. The next byte of output is at the position \`from\` |
| binary | Output, as the process wrote it. A character may be divided between two frames. The client counts the bytes: the position after the last one is its \`from\` when it connects again |
| \`{"type":"live"}\` | All earlier output was sent. What a terminal answers to escape sequences before it (such as its position) is to be dropped |
| \`{"type":"skipped","from":524288}\` | Output is missing, because it is no longer kept; the next byte is at this position |
| \`{"type":"masked","text":"[credential github]","from":1024}\` | The output has a secret of the agent: \`text\` is to be shown in its place, also if it is empty; the next byte is at the position \`from\` |
| \`{"type":"control","writer":false}\` | Whether this connection writes now |
| \`{"type":"size","columns":120,"rows":40}\` | The terminal has another size |
| \`{"type":"exit","reason":"exit","code":0,"signal":null,"cpu_ms":12,"peak_memory_bytes":4194304}\` | Last. The connection is closed with 1000 |

The connection that came or asked last writes; the others watch. Its pace is that of the process: if it does not read, the process waits. Those that watch skip what is no longer kept.
A text frame that is no control message closes the connection with 1008 \`invalid_message\`, an unknown terminal with 1008 \`not_found\`.`
