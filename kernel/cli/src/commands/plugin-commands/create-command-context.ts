import { ServiceError } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'
import { type ApiClient, createApiClient } from '../api-client.js'
import { serviceProblemError } from '../errors.js'
import type { Invocation } from '../invocation.js'
import { signIn } from '../sign-in.js'
import { ask } from '../terminal.js'
import type { CommandEnd } from './command-end.js'
import { followEvents } from './follow-events.js'

/** The input of one call of a plugin's command. */
export interface CommandInput extends Pick<Invocation, 'terminal' | 'environment'> {
  readonly arguments: readonly string[]
  readonly options: Readonly<Record<string, string | boolean>>
  readonly service: { readonly url: string; readonly username?: string }
  readonly json: boolean
}

/** Creates the context of a command. Every wait in it ends with the command's signal. */
export function createCommandContext(input: CommandInput, end: CommandEnd): CommandContext {
  const { terminal, json } = input
  const signedIn = signInOnce(input)
  const styled = (text: string, style: Parameters<CommandContext['print']>[1]): string =>
    style?.style === undefined ? text : terminal.style(style.style, text)
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
    async print(line, options) {
      if (!json) terminal.line(styled(String(line), options))
    },
    async write(text, options) {
      if (!json) terminal.write(styled(String(text), options))
    },
    warn: async (line) => terminal.problem(String(line)),
    ask: (question, { secret = false } = {}) =>
      ask(terminal, question, { secret, signal: end.signal, instead: 'Run the command in a terminal.' }),
    readLine({ prompt, signal, ...options } = {}) {
      const shown = prompt === undefined || (json && !terminal.interactive) ? {} : { prompt: terminal.style('bold', prompt) }
      return terminal.readLine({ ...options, ...shown, signal: untilEnd(signal) })
    },
    interrupts: ({ signal } = {}) => end.interrupts(untilEnd(signal)),
    request(method, path, body) {
      if (!path.startsWith('/')) throw new Error(`The path of a request must begin with “/”, but is “${path}”.`)
      return ofService((client) => client.request(method, path, body, { signal: end.signal }))
    },
    events({ after, query = {}, signal } = {}) {
      const path = `/api/events?${new URLSearchParams(query)}`
      return ofService((client) => followEvents(client, path, { after, signal: untilEnd(signal) }))
    },
  })
}

/**
 * Signs in on the first call that needs it. An unreachable service is reported before any prompt.
 */
function signInOnce({ terminal, environment, service }: CommandInput): () => Promise<ApiClient> {
  const { url, username } = service
  let signedIn: Promise<ApiClient> | undefined
  const start = async (): Promise<ApiClient> => {
    const client = createApiClient(url)
    await client.request('GET', '/api/version')
    await signIn(client, terminal, environment, { mayRegister: true, ...(username === undefined ? {} : { username }) })
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
