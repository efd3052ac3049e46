export {
  authenticateClient,
  type ClientAuthenticationMethod,
  type ClientCredentials,
  type ClientRefusal,
  clientAuthenticationMethods,
  isClientRefused,
} from './client-authentication.js'
