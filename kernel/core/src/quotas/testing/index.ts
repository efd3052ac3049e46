export { createPlainQuotas } from './plain-quotas.js'
