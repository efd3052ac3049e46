export type { Examination } from './examination.js'
export { valueAt } from './resolve-paths.js'
