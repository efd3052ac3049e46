export { deleteOlder } from './page-by-page.js'
