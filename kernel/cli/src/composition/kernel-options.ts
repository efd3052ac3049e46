import type { PasswordCost } from '@agent-service/kernel-accounts'
import type { HttpLimits } from '@agent-service/kernel-core/http'
import type { AnswerCheck } from '@agent-service/kernel-core/http/answer'
import type { InstallationOptions } from '@agent-service/kernel-core/installation'
import type { LogOptions } from '@agent-service/kernel-core/log'
import type { EscapedError, PluginLimits } from '@agent-service/kernel-core/plugins/start'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { DependencyContainer } from 'tsyringe'

/** What a kernel is started with. Everything but the installation and the version has a default that the product uses; tests set the rest. */
export interface KernelOptions extends InstallationOptions {
  /** The service's version. */
  readonly version: string
  /** Where the kernel listened that this one follows in the same process: kept while `server.port` is 0, so that addresses stay. */
  readonly portBefore?: number
  readonly log?: Pick<LogOptions, 'format' | 'stream'>
  readonly clock?: Clock
  readonly passwordCost?: PasswordCost
  readonly httpLimits?: Partial<HttpLimits>
  readonly pluginLimits?: Partial<PluginLimits>
  readonly answerCheck?: AnswerCheck
  /**
   * Makes the kernel listen for errors of the process that no code caught, from before the first plugin runs until everything has stopped: those of
   * plugins are logged and shown in their reports, any other comes here without the secrets of the configuration. Default: the kernel does not listen, and Node ends the process.
   */
  readonly onUnownedError?: (error: unknown, kind: EscapedError) => void
  /** Called once the container is filled and before anything is resolved: a test may register another value for a token. */
  readonly override?: (container: DependencyContainer) => void
}
