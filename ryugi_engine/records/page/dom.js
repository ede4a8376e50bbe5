// Elements of the page.

/** The element with an id. @template {string} Id @param {Id} id */
export const byId = id => /** @type {ElementOf<Id>} */ (document.getElementById(id));

/** The element that an event has come to. @param {Event} event */
export const targetOf = event => /** @type {HTMLInputElement} */ (event.target);

/** A new element with attributes and children; texts become text.
 *  @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag
 *  @param {Record<string, unknown>} attributes @param {...(Node | string)} children */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) made.setAttribute(name, `${value}`);
  made.append(...children);
  return made;
}

// not "disabled", which would take the keyboard's focus away
/** @param {string} name @param {boolean} can */
export function enable(name, can) {
  byId(name).setAttribute("aria-disabled", !can);
}

/** Hand a text to the reader as a file. @param {string} name @param {string} text */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
