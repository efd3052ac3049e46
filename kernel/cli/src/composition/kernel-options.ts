import type { PasswordCost } from '@agent-service/kernel-accounts'
import type { HttpLimits } from '@agent-service/kernel-core/http'
import type { AnswerCheck } from '@agent-service/kernel-core/http/answer'
import type { FrontDoor } from '@agent-service/kernel-core/http/server'
import type { LogOptions } from '@agent-service/kernel-core/log'
import type { EscapedError, PluginLimits } from '@agent-service/kernel-core/plugins/start'
import type { InstallationOptions } from '@agent-service/kernel-settings/installation'
import type { RestartOrder } from '@agent-service/kernel-settings/restart'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { DependencyContainer } from 'tsyringe'

/** What the program was loaded from, and why not from the bundle, from which it starts faster and needs less memory. */
export type LoadedCode = { readonly from: 'bundle' } | { readonly from: 'single_files'; readonly reason: string }

/**
 * The options of a kernel. Everything but the installation and the version has a default that the
 * product uses; tests set the rest.
 */
export interface KernelOptions extends InstallationOptions {
  /** The service's version. */
  readonly version: string
  /** Named in the log. Default: unknown. */
  readonly code?: LoadedCode
  /**
   * The listener of the address, which the kernels of this process share: it stays open from one to
   * the next. Default: one of its own, which ends with the kernel.
   */
  readonly door?: FrontDoor
  /** The restart in place that this start ends. Default: the process begins. */
  readonly restart?: RestartOrder
  /** The demo: its start makes a link that signs in once. Ignored with `NODE_ENV=production`. */
  readonly demo?: boolean
  readonly log?: Pick<LogOptions, 'format' | 'stream'>
  readonly clock?: Clock
  readonly passwordCost?: PasswordCost
  readonly httpLimits?: Partial<HttpLimits>
  readonly pluginLimits?: Partial<PluginLimits>
  readonly answerCheck?: AnswerCheck
  /**
   * Makes the kernel handle uncaught errors of the process, from before the first plugin runs until
   * everything has stopped: those of plugins are logged and shown in their reports; any other is
   * passed on here without the secrets of the configuration. Default: the kernel handles none, and
   * Node ends the process.
   */
  readonly onUnownedError?: (error: unknown, kind: EscapedError) => void
  /**
   * Called after the container is filled and before anything is resolved: a test may replace the
   * value of a token.
   */
  readonly override?: (container: DependencyContainer) => void
}
