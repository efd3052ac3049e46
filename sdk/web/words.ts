/**
 * German for texts of the service's own plugins that the service has in English only, where screens of several plugins show
 * them. A plugin with such texts of its own makes its list with {@link createReasonText} instead.
 *
 * @packageDocumentation
 */

export { germanSandboxReasons, sandboxReasonText } from './i18n/reasons/sandbox-reasons.js'
export { taskFailureText, taskNotificationText } from './i18n/reasons/task-failures.js'
export { shippedText } from './ui/shipped-words.js'
