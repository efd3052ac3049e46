export { allOf } from './all-of.js'
export { deleteOlder } from './delete-older.js'
export { createUnexportedData } from './unexported-data.js'
