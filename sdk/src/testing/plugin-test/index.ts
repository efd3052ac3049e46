export { callRoute, routeRefusedError, type TestRequest, testPrincipal } from './call-route.js'
export { callTool, createToolContext, toolInputInvalidError } from './call-tool.js'
export { contributionRefusedError, notProvidedError } from './declared-setup.js'
export { configurationInvalidError } from './plugin-configuration.js'
