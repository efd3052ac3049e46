export { allOf, deleteOlder } from './page-by-page.js'
export { createUnexportedData } from './unexported-data.js'
