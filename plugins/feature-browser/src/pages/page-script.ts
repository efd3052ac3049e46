/** The world of this plugin's own functions in a page, apart from the page's scripts. */
export const worldName = 'agent-service'

/**
 * Functions for elements, as text: they run in the browser, in the world of this plugin. `this` is the
 * element; what they return is plain.
 */
export const pageFunctions = {
  /**
   * Sets the value of a field as typing would. Returns what is wrong, or nothing. With an origin, only in a document of it: not in
   * one that its site has put into a sandbox, as sites do with what others have sent.
   */
  fill: `function(text, origin) {
    const view = this.ownerDocument.defaultView;
    if (origin !== null && (!view || view.location.origin !== origin || view.origin !== origin)) return 'other-origin';
    const tag = this.localName;
    const type = String(this.type || '').toLowerCase();
    if (this.disabled || this.readOnly) return 'read-only';
    if (tag === 'input' && ['checkbox', 'radio', 'file', 'submit', 'button', 'image', 'reset', 'hidden'].includes(type)) return 'no-field';
    const filled = globalThis.__filled = globalThis.__filled || new WeakSet();
    if (origin === null) filled.delete(this);
    else {
      filled.add(this);
      const known = globalThis.__secrets = globalThis.__secrets || new Set();
      known.add(text);
    }
    this.focus();
    if (tag === 'input' || tag === 'textarea') {
      const prototype = tag === 'input' ? view.HTMLInputElement.prototype : view.HTMLTextAreaElement.prototype;
      Object.getOwnPropertyDescriptor(prototype, 'value').set.call(this, text);
      if (text !== '' && this.value === '') return 'not-taken';
    } else if (this.isContentEditable) {
      this.textContent = text;
    } else return 'no-field';
    this.dispatchEvent(new view.InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText' }));
    this.dispatchEvent(new view.Event('change', { bubbles: true }));
    return '';
  }`,
  /** Chooses options of a list by their values or labels. Returns what is chosen, or null if it is no list. */
  select: `function(wanted) {
    if (this.localName !== 'select') return null;
    const options = Array.from(this.options);
    const found = wanted.map((text) => options.find((each) => each.value === text) || options.find((each) => each.label.trim() === text.trim()));
    if (found.some((each) => each === undefined || each.disabled)) return { missing: true, options: options.slice(0, 100).map((each) => each.label.trim().slice(0, 100)) };
    if (!this.multiple && found.length > 1) return { missing: true, options: [] };
    for (const option of options) option.selected = found.includes(option);
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    this.dispatchEvent(new Event('change', { bubbles: true }));
    return { chosen: found.map((each) => each.label.trim().slice(0, 100)) };
  }`,
  /** Hands a file to a field for files. */
  upload: `function(name, type, base64) {
    if (this.localName !== 'input' || this.type !== 'file') return 'no-field';
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name, { type }));
    this.files = transfer.files;
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    this.dispatchEvent(new Event('change', { bubbles: true }));
    return this.files.length === 1 ? '' : 'not-taken';
  }`,
  focus: 'function() { this.focus(); }',
  scrollBy: 'function(x, y) { this.scrollBy({ left: x, top: y, behavior: "instant" }); }',
} as const

/** Functions for a whole document, with `this` its global object. */
export const documentFunctions = {
  /**
   * Hides what a person must not see in a picture: passwords, and what was filled in from a credential, here or before in another
   * document of the origin.
   */
  hideSecrets: `function(origin, filled) {
    const known = globalThis.location.origin === origin ? filled : [];
    const secrets = [...(globalThis.__secrets || []), ...known].filter((text) => text.length > 0);
    const hidden = globalThis.__hidden = [];
    const hide = (element) => {
      hidden.push([element, element.style.getPropertyValue('visibility'), element.style.getPropertyPriority('visibility')]);
      element.style.setProperty('visibility', 'hidden', 'important');
    };
    const holds = (text) => secrets.some((secret) => typeof text === 'string' && text.includes(secret));
    const look = (root) => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) look(element.shadowRoot);
        if (element.localName === 'input' && element.type === 'password' && element.value !== '') hide(element);
        else if ((element.localName === 'input' || element.localName === 'textarea') && holds(element.value)) hide(element);
        else if (secrets.length > 0 && Array.from(element.childNodes).some((node) => node.nodeType === 3 && holds(node.data))) hide(element);
      }
    };
    look(document);
    return hidden.length;
  }`,
  showSecrets: `function() {
    for (const [element, value, priority] of globalThis.__hidden || []) {
      if (value === '') element.style.removeProperty('visibility');
      else element.style.setProperty('visibility', value, priority);
    }
    globalThis.__hidden = [];
  }`,
  /** The document as HTML, at most so many characters. */
  html: `function(most) {
    const text = document.documentElement ? document.documentElement.outerHTML : '';
    const doctype = document.doctype ? '<!DOCTYPE html>' : '';
    return { html: (doctype + text).slice(0, most), cut: doctype.length + text.length > most, title: document.title.slice(0, 1000), url: location.href };
  }`,
  /** What keys would go to: `filled`, a field that was filled in from a credential; `frame`; or nothing of note. */
  focused: `function() {
    let element = document.activeElement;
    while (element && element.shadowRoot && element.shadowRoot.activeElement) element = element.shadowRoot.activeElement;
    if (!element) return '';
    if (globalThis.__filled && globalThis.__filled.has(element)) return 'filled';
    return ['iframe', 'frame', 'object', 'embed'].includes(element.localName) ? 'frame' : '';
  }`,
  /** Where a text is shown, the first places, each with what stands around it. */
  placesOf: `function(text, around) {
    const all = document.body ? document.body.innerText : '';
    const places = [];
    for (let at = all.indexOf(text); at >= 0 && places.length < 10; at = all.indexOf(text, at + text.length))
      places.push(all.slice(Math.max(0, at - around), at + text.length + around));
    return places;
  }`,
  scrollBy: 'function(x, y) { globalThis.scrollBy({ left: x, top: y, behavior: "instant" }); }',
  /** The bytes behind an address that the page itself has made. */
  readBlob: `async function(url, most) {
    const blob = await (await fetch(url)).blob();
    if (blob.size > most) return { size: blob.size };
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let text = '';
    for (let from = 0; from < bytes.length; from += 32768) text += String.fromCharCode(...bytes.subarray(from, from + 32768));
    return { size: blob.size, base64: btoa(text) };
  }`,
} as const
