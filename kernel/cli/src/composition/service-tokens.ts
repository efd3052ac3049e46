import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Backups } from '@agent-service/sdk/services/backups'
import type { EphemeralTokens } from '@agent-service/sdk/services/ephemeral-tokens'
import type { PresignedUrls } from '@agent-service/sdk/services/presigned-urls'
import type { Resources } from '@agent-service/sdk/services/resources'
import type { Redaction, Secrets } from '@agent-service/sdk/services/secrets'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import type { InjectionToken } from 'tsyringe'
import type { KernelOptions } from './kernel-options.js'
import type { Prepared } from './prepare.js'

/** What the kernel was started with. */
export const optionsToken: InjectionToken<KernelOptions> = Symbol('kernel-options')
export const preparedToken: InjectionToken<Prepared> = Symbol('prepared')

/** Services as plugins get them. */
export const secretsToken: InjectionToken<Secrets> = Symbol('secrets')
export const redactionToken: InjectionToken<Redaction> = Symbol('redaction')
export const resourcesToken: InjectionToken<Resources> = Symbol('resources')
export const userFilesToken: InjectionToken<UserFiles> = Symbol('user-files')
export const accountsToken: InjectionToken<Accounts> = Symbol('accounts')
export const presignedUrlsToken: InjectionToken<PresignedUrls> = Symbol('presigned-urls')
export const ephemeralTokensToken: InjectionToken<EphemeralTokens> = Symbol('ephemeral-tokens')
export const backupsToken: InjectionToken<Backups> = Symbol('backups')
