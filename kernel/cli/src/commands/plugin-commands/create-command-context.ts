import { ServiceError } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'
import { tableLines } from '../../terminal/table.js'
import { ask, type Line, styled } from '../../terminal/terminal.js'
import { visibleLine } from '../../terminal/visible-text.js'
import { type ApiClient, createApiClient } from '../api-client.js'
import { serviceProblemError } from '../errors.js'
import type { Invocation } from '../invocation.js'
import { signIn } from '../sign-in.js'
import type { CommandEnd } from './command-end.js'
import { followEvents } from './follow-events.js'
import type { JsonOutput } from './json-output.js'

/** The input of one call of a plugin's command. */
export interface CommandInput extends Pick<Invocation, 'terminal' | 'environment'> {
  readonly arguments: readonly string[]
  readonly options: Readonly<Record<string, string | boolean>>
  readonly service: { readonly url: string; readonly username?: string }
  readonly json: boolean
}

/** Creates the context of a command. Every wait in it ends with the command's signal. */
export function createCommandContext(input: CommandInput, end: CommandEnd, output: JsonOutput): CommandContext {
  const { terminal, json } = input
  const signedIn = signInOnce(input, end.signal)
  const lineOf = (text: string, options: Parameters<CommandContext['print']>[1]): Line =>
    options?.style === undefined ? visibleLine(text) : styled(options.style, visibleLine(text))
  const untilEnd = (own: AbortSignal | undefined): AbortSignal => (own ? AbortSignal.any([end.signal, own]) : end.signal)
  const ofService = async <Result>(call: (client: ApiClient) => Promise<Result>): Promise<Result> => {
    try {
      return await call(await signedIn())
    } catch (error) {
      throw serviceProblemError.isInstance(error) ? problemOfService(error) : error
    }
  }
  return Object.freeze<CommandContext>({
    arguments: input.arguments,
    options: input.options,
    signal: end.signal,
    interactive: terminal.interactive,
    inputIsTerminal: terminal.inputIsTerminal,
    json,
    async print(line, options) {
      if (!json) terminal.line(lineOf(String(line), options))
    },
    async write(text, options) {
      if (!json) terminal.write(String(text), options?.style)
    },
    async table(rows, { whole = [] } = {}) {
      if (!json) for (const line of tableLines(rows, { columns: terminal.columns(), whole })) terminal.line(line)
    },
    warn: async (line, options) => terminal.problem(lineOf(String(line), options)),
    async record(value) {
      if (json) output.record(value)
    },
    ask: (question, { secret = false } = {}) =>
      ask(terminal, question, { secret, signal: end.signal, instead: 'Run the command in a terminal.' }),
    readLine({ prompt, signal, ...options } = {}) {
      const shown = prompt === undefined || (json && !terminal.interactive) ? {} : { prompt, promptStyle: 'bold' as const }
      return terminal.readLine({ ...options, ...shown, signal: untilEnd(signal) })
    },
    readAll: ({ maxBytes }) => terminal.readAll({ maxBytes, signal: end.signal }),
    interrupts: ({ signal } = {}) => end.interrupts(untilEnd(signal)),
    request(method, path, body) {
      checkPath(path)
      return ofService((client) => client.request(method, path, body, { signal: end.signal }))
    },
    requestText(method, path, body) {
      checkPath(path)
      return ofService((client) => client.requestText(method, path, body, { signal: end.signal }))
    },
    transfer(method, path, options = {}) {
      checkPath(path)
      return ofService((client) => client.transfer(method, path, { ...options, signal: end.signal }))
    },
    events({ after, query = {}, signal } = {}) {
      const path = `/api/events?${new URLSearchParams(query)}`
      return ofService((client) => followEvents(client, path, { after, signal: untilEnd(signal) }))
    },
  })
}

function checkPath(path: string): void {
  if (!path.startsWith('/')) throw new Error(`The path of a request must begin with “/”, but is “${path}”.`)
}

/**
 * Signs in on the first call that needs it. An unreachable service is reported before any prompt.
 */
function signInOnce({ terminal, environment, service }: CommandInput, signal: AbortSignal): () => Promise<ApiClient> {
  const { url, username } = service
  let signedIn: Promise<ApiClient> | undefined
  const start = async (): Promise<ApiClient> => {
    const client = createApiClient(url)
    await client.request('GET', '/api/version')
    await signIn(client, terminal, environment, { mayRegister: true, signal, ...(username === undefined ? {} : { username }) })
    return client
  }
  return () => {
    signedIn ??= start()
    return signedIn
  }
}

/** The problem as the service's own error, so that a command can check its code. */
function problemOfService(error: ServiceError): ServiceError {
  const { code, status } = error.details
  return new ServiceError({
    code: String(code),
    status: Number(status),
    title: error.title,
    message: error.message,
    options: { cause: error },
  })
}
