import type { Logger } from '@agent-service/sdk'
import type { DisposableScope } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { InjectionToken } from 'tsyringe'

/** The version of the running service, from the kernel's package.json. */
export const versionToken: InjectionToken<string> = Symbol('version')
/** The environment variables of the process, read once at the start. */
export const environmentToken: InjectionToken<Readonly<Record<string, string | undefined>>> = Symbol('environment')
/** The kernel's own scope: what is opened for the whole life of the kernel. */
export const scopeToken: InjectionToken<DisposableScope> = Symbol('scope')
export const clockToken: InjectionToken<Clock> = Symbol('clock')
export const loggerToken: InjectionToken<Logger> = Symbol('logger')
