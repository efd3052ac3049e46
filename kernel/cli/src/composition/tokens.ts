import 'reflect-metadata'

export { authToken } from '@agent-service/kernel-accounts'
export { auditToken } from '@agent-service/kernel-accounts/audit'
export { policiesToken } from '@agent-service/kernel-accounts/policy'
export { configurationToken } from '@agent-service/kernel-core/config'
export { databaseToken, ownDatabaseToken } from '@agent-service/kernel-core/database/open'
export { bootedEventsToken, eventLimitsToken, eventOutboxToken, eventsToken, eventTypesToken } from '@agent-service/kernel-core/events'
export { authenticatorToken, httpServerToken } from '@agent-service/kernel-core/http'
export { routeTableToken } from '@agent-service/kernel-core/http/routing'
export { leasesToken } from '@agent-service/kernel-core/leases'
export { redactorToken } from '@agent-service/kernel-core/log'
export { contributionsToken, discoveredPluginsToken, pluginHostToken, pluginSettingsToken } from '@agent-service/kernel-core/plugins'
export { clockToken, environmentToken, loggerToken, scopeToken, versionToken } from '@agent-service/kernel-core/process'
export { schedulerToken } from '@agent-service/kernel-core/scheduler'
export { dataKeysToken, secretCipherToken } from '@agent-service/kernel-core/secrets'
export { stateDocumentsToken } from '@agent-service/kernel-core/state-documents'
export { eventSubscriptionsToken, registrationsToken } from '@agent-service/kernel-services/event-subscriptions'
export { metricsToken } from '@agent-service/kernel-services/metrics'
export {
  pluginDataDeletionsToken,
  pluginDataToken,
  pluginRemainsToken,
  pluginSuccessionsToken,
} from '@agent-service/kernel-services/plugin-data'
export { quotasToken } from '@agent-service/kernel-services/quotas'
export { pluginSealedFieldsToken } from '@agent-service/kernel-services/secrets'
export { urlsToken } from '@agent-service/kernel-services/urls'
export { restartsToken } from '@agent-service/kernel-settings/restart'
export { setUpToken } from '@agent-service/kernel-settings/set-up'
export { httpCollaboratorsToken } from './kernel-http-server.js'
export * from './service-tokens.js'
