export { streamState } from './api/events.js'
export { createApplying, readRestartWork, workText } from './app/applying.js'
export { identityQuestion } from './app/confirmation.js'
export {
  addNavigation,
  isPlaceInSection,
  type NavigationEntry,
  navigationOf,
  type PaletteHit,
  pageActions,
  pageTitle,
  paletteSources,
  type ScreenCount,
  screenCount,
  sidebarActivity,
  sidebarSections,
} from './app/contributions.js'
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
export type { ReadStep, SetUpStep, StepState } from './app/set-up-step.js'
export { allCommands, type Command, keyLabels, startShortcuts } from './app/shortcuts.js'
export { applyTheme, chooseTheme, createMatch, createUsesDark, type Theme, themes } from './app/theme.js'
export type { UserTab } from './app/user-tab.js'
export { ownName } from './core/base.js'
export { onFrameGreeting, openFramePort } from './core/frame-port.js'
export { keepInputMethodKeys } from './core/input-method.js'
export { MissingPartError } from './core/load-part.js'
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
