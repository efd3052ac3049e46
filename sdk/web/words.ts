export { germanSandboxReasons, sandboxReasonText } from './i18n/reasons/sandbox-reasons.js'
export { taskFailureText, taskNotificationText } from './i18n/reasons/task-failures.js'
export { shippedText } from './ui/shipped-words.js'
