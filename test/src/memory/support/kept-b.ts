import { createKeptPlugin } from './kept-backend.js'

export default createKeptPlugin('kept-b')
