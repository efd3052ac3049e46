export { createStaticFiles } from './static-files.js'
export { createWebInterfaces, type WebInterfaces, webInterfacesToken } from './web-interfaces.js'
