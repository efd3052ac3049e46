export { cookiePathOf } from './cookie-path.js'
export { isCrossSite } from './cross-site.js'
export { ConfiguredUrls, type UrlService, urlsToken } from './url-service.js'
