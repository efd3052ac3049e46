export { deleteOlder } from './delete-older.js'
