/** Raw data for tests. */
export { type LeftCollection, leftCollection, rawDataOf } from './raw-data-under-test.js'
