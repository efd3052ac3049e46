import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import { type Configuration, configurationToken } from '../config/index.js'
import type { AnswerCheck } from '../http/answer/answer-check.js'
import type { Authenticator } from '../http/authenticator.js'
import type { HttpLimits } from '../http/http-options.js'
import type { HttpServer } from '../http/http-server.js'
import type { IdempotencyStore } from '../http/idempotency/idempotency-store.js'
import type { MetricSource } from '../http/metric-source.js'
import type { NoteOperation } from '../http/request/note-operation.js'
import type { RouteAccess } from '../http/route-access.js'
import { type DispatchTable, routeTableToken } from '../http/routing/dispatch-table.js'
import { createHttpServer } from '../http/server/create-http-server.js'
import { type Redactor, redactorToken } from '../log/redactor.js'
import { clockToken, loggerToken, versionToken } from '../process/tokens.js'
import { type QuotaRegistry, quotasToken } from '../quotas/create-quotas.js'

/** What the HTTP layer asks for at each request, because it opens later than the listener, and what tests turn on. */
export interface HttpCollaborators {
  readonly authenticator: () => Authenticator | undefined
  readonly routeAccess: () => RouteAccess | undefined
  readonly idempotency?: () => IdempotencyStore | undefined
  readonly noteOperation?: NoteOperation
  readonly metricSources?: () => readonly MetricSource[]
  readonly limits?: Partial<HttpLimits>
  readonly portBefore?: number
  readonly answerCheck?: AnswerCheck
}

export const httpCollaboratorsToken: InjectionToken<HttpCollaborators> = Symbol('http-collaborators')

/** {@link createHttpServer} with its dependencies from the container. `routeTableToken` must give what `createDispatchTable` makes. */
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

  drain(limitMs: number): Promise<void> {
    return this.#server.drain(limitMs)
  }

  close(): Promise<void> {
    return this.#server.close()
  }
}
