import { type Configuration, configurationToken } from '@agent-service/kernel-core/config'
import type { DrainOptions, HttpServer } from '@agent-service/kernel-core/http'
import { type DispatchTable, routeTableToken } from '@agent-service/kernel-core/http/routing'
import { createHttpServer, type HttpServerDependencies } from '@agent-service/kernel-core/http/server'
import { type Redactor, redactorToken } from '@agent-service/kernel-core/log'
import { clockToken, loggerToken, versionToken } from '@agent-service/kernel-core/process'
import type { QuotaRegistry } from '@agent-service/kernel-core/quotas'
import { quotasToken } from '@agent-service/kernel-services/quotas'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type InjectionToken, inject, injectable } from 'tsyringe'

/** What other parts of the kernel do for the HTTP layer, and options for tests. */
export type HttpCollaborators = Pick<
  HttpServerDependencies,
  | 'authenticator'
  | 'routeAccess'
  | 'idempotency'
  | 'audit'
  | 'jsonPool'
  | 'sites'
  | 'webSockets'
  | 'pages'
  | 'metrics'
  | 'limits'
  | 'door'
  | 'admitsWhenReady'
  | 'answerCheck'
>

export const httpCollaboratorsToken: InjectionToken<HttpCollaborators> = Symbol('http-collaborators')

/**
 * {@link createHttpServer} with its dependencies from the container. `routeTableToken` must resolve
 * to a table of `createDispatchTable`.
 */
@injectable()
export class KernelHttpServer implements HttpServer {
  readonly #server: HttpServer

  constructor(
    @inject(configurationToken) configuration: Pick<Configuration, 'server'>,
    @inject(routeTableToken) table: DispatchTable,
    @inject(loggerToken) logger: Logger,
    @inject(redactorToken) redactor: Redactor,
    @inject(clockToken) clock: Clock,
    @inject(versionToken) version: string,
    @inject(quotasToken) quotas: QuotaRegistry,
    @inject(httpCollaboratorsToken) collaborators: HttpCollaborators,
  ) {
    this.#server = createHttpServer({
      settings: configuration.server,
      table,
      logger: logger.child({ module: 'http' }),
      redactor,
      clock,
      version,
      quotas,
      ...collaborators,
    })
  }

  listen(): ReturnType<HttpServer['listen']> {
    return this.#server.listen()
  }

  ready(): void {
    this.#server.ready()
  }

  setStep(step: string | undefined): void {
    this.#server.setStep(step)
  }

  openRequests(): number {
    return this.#server.openRequests()
  }

  whenQuiet(signal: AbortSignal): Promise<void> {
    return this.#server.whenQuiet(signal)
  }

  drain(limitMs: number, options?: DrainOptions): Promise<void> {
    return this.#server.drain(limitMs, options)
  }

  close(): Promise<void> {
    return this.#server.close()
  }
}
