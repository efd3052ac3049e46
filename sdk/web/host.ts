/**
 * For the shell of the console alone: the page that holds the screens. Here are sign-in, the router's start, what screens have
 * added, and the places where dialogs and messages appear. A screen that used it would start or end these a second time, so it is
 * not among the modules that the console serves to screens: an import of it fails when the screen is loaded.
 *
 * @packageDocumentation
 */

export { streamState } from './api/events.js'
export { createApplying, readRestartWork, workText } from './app/applying.js'
export { identityQuestion } from './app/confirmation.js'
export {
  addNavigation,
  isPlaceInSection,
  type NavigationEntry,
  navigationOf,
  pageActions,
  pageTitle,
  paletteSources,
  screenCount,
  sidebarActivity,
  sidebarSections,
} from './app/contributions.js'
export { onHasScreen } from './app/has-screen.js'
export { onPrepareScreen } from './app/prepare-screen.js'
export { reloadFor } from './app/reload-once.js'
export { matchPath, startRouter } from './app/router.js'
export {
  CookieRefusedError,
  demoLinkRefused,
  leave,
  openSession,
  type Profile,
  reloadProfile,
  sessionBegan,
  sessionState,
  signIn,
  signOut,
  startSession,
} from './app/session.js'
export { allCommands, keyLabels, startShortcuts } from './app/shortcuts.js'
export { applyTheme, chooseTheme, createMatch, createUsesDark, type Theme, themes } from './app/theme.js'
export { ownName } from './core/base.js'
export { onFrameGreeting, openFramePort } from './core/frame-port.js'
export { keepInputMethodKeys } from './core/input-method.js'
export { hasFailed, hasRules, MissingPartError } from './core/load-part.js'
export { createTokenBucket } from './core/token-bucket.js'
export { goOnTranslated } from './core/translated-page.js'
export { scriptAddress } from './core/trusted.js'
export { applyLanguage, chooseLanguage, type Language, languages } from './i18n/language.js'
export { chooseDictation, chooseRate, chooseVoice, chosenDictation, chosenVoice, languageOf, type Rate, rates } from './speech/choices.js'
export { Confirmations, Modal } from './ui/dialog.js'
export { icons } from './ui/icons.js'
export { Banners, LiveRegion, showBanner, Toasts } from './ui/notices.js'
export { Guarded } from './ui/part.js'
export { HiddenUsername, PasswordPrompt } from './ui/password-prompt.js'
