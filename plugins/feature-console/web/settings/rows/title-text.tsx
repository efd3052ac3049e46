import type { JSX } from 'solid-js'
import type { Words } from '../words/descriptions.js'

/** A title or a description, marked as English where it is not translated. */
export const TitleText = (props: { readonly title: Words }): JSX.Element => (
  <span lang={props.title.isTranslated ? undefined : 'en'}>{props.title.text}</span>
)
