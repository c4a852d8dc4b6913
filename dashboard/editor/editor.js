// A text editor that tells the server what is typed: 1 s after the last key, on leaving the field or the page, and at once on Ctrl+S.
// The server's text is put in only when `data.version` changes and nothing is being typed; the box is never replaced otherwise.

const PAUSE_MS = 1000
const KEPT_MS = 3_600_000
const REFUSED = "not kept: the message at the top says why. The text stays here, and is sent again when you go on or leave the field."
const editors = new WeakMap() // one editor for each place on the page: this module's function runs again at every rerun
const takenDown = new Map() // text still being typed, and the caret, of a box that the page took down; by the editor's key

export default function (component) {
  const root = component.parentElement
  if (!editors.has(root)) editors.set(root, createEditor(root))
  const editor = editors.get(root)
  editor.update(component)
  return editor.close
}

function createEditor(root) {
  const box = root.querySelector("textarea")
  let component = null
  let data = { version: null }
  let committed = ""
  let sentAt = 0
  let timer = 0
  let focused = false

  const isDirty = () => box.value !== committed
  const isUnanswered = () => isDirty() || sentAt > data.heard

  function commit() {
    clearTimeout(timer)
    if (!component || !isDirty()) return
    committed = box.value
    sentAt = Date.now()
    component.setStateValue("commit", { text: box.value, at: sentAt })
    showStatus()
  }

  function save() {
    commit()
    component.setTriggerValue("save", true)
  }

  function typed() {
    clearTimeout(timer)
    timer = setTimeout(commit, PAUSE_MS)
    grow()
    showStatus()
  }

  function pressed(event) {
    event.stopPropagation() // letters typed here are no shortcuts of the page
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "s") {
      event.preventDefault()
      save()
    }
  }

  function left() {
    focused = false
    commit()
  }

  function grow() {
    box.style.height = "auto" // the height of `rows`, also where the box is hidden and has no scrollHeight
    if (box.scrollHeight) box.style.height = `${box.scrollHeight + 2}px`
  }

  function showStatus() {
    const state = committed === null ? "refused" : isDirty() ? "typing" : sentAt > data.heard ? "sending" : data.state
    const status = root.querySelector(".status")
    status.dataset.state = state
    setText(status, { typing: "typing…", sending: "noting…", refused: REFUSED }[state] ?? data.status)
  }

  function update(next) {
    component = next
    const before = data
    data = next.data
    dress(root, box, data)
    const restarted = before.version !== null && data.session !== before.session
    if (restarted) beginAgain(before)
    if ((restarted || data.version !== before.version) && (before.version === null || (isNews(data) && !isDirty()))) {
      box.value = data.value
      committed = box.value
      sentAt = 0 // what it sent before is not in it any more: the same text may come back, as of another entry that is opened again
    }
    if (data.refused === sentAt && sentAt) committed = null // the server could not keep it: it is to be sent again
    if (before.version === null) resume()
    if (restarted && isDirty()) typed()
    if (before.locked && !data.locked && isDirty()) typed()
    requestAnimationFrame(grow)
    showStatus()
  }

  // The server was started anew under a page that stands: what was sent while nobody listened is to be sent again.
  function beginAgain(before) {
    if (sentAt > before.heard) committed = asBoxText(data.value)
    sentAt = 0
  }

  function isNews(data) {
    const ownText = data.own && data.heard === sentAt // the server's text is what this box sent: typing may have gone on since
    return !ownText && asBoxText(data.value) !== committed
  }

  function resume() {
    const left = typedBeforeLeaving(data.key, data.value)
    if (left !== null) restore(left)
    const kept = takenDown.get(data.key)
    takenDown.delete(data.key)
    if (!kept || (kept.version !== data.version && kept.session === data.session)) return
    if (kept.text !== null && (kept.dirty || kept.over === data.value)) box.value = kept.text
    if (kept.focused) box.focus()
    box.setSelectionRange(kept.caret, kept.caret)
    if (isDirty()) typed()
  }

  function restore(text) {
    box.value = text
    if (isDirty()) typed()
  }

  // The last message of a page that is being left may not arrive: the browser keeps the text for the same tab, too.
  function leaving() {
    if (isUnanswered()) keepForReturn(data.key, { text: box.value, over: data.value, at: Date.now() })
    commit()
  }

  function close() {
    clearTimeout(timer)
    const text = isUnanswered() ? box.value : null
    const { version, session, value } = data
    const kept = { text, dirty: isDirty(), over: value, version, session, caret: box.selectionStart, focused }
    if (text !== null || focused) takenDown.set(data.key, kept)
    window.removeEventListener("pagehide", leaving)
    editors.delete(root)
  }

  box.addEventListener("input", typed)
  box.addEventListener("focus", () => (focused = true))
  box.addEventListener("blur", left)
  box.addEventListener("keydown", pressed)
  for (const name of ["keyup", "keypress"]) box.addEventListener(name, (event) => event.stopPropagation())
  window.addEventListener("pagehide", leaving)
  return { update, close }
}

function keepForReturn(key, kept) {
  try {
    sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {} // a browser that keeps nothing: then only the message to the server counts
}

function typedBeforeLeaving(key, value) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key))
    sessionStorage.removeItem(key)
    return kept && kept.over === value && Date.now() - kept.at < KEPT_MS ? kept.text : null
  } catch {
    return null
  }
}

function dress(root, box, data) {
  setText(root.querySelector("label"), data.label)
  setText(root.querySelector(".help"), data.help)
  const counter = root.querySelector(".counter")
  setText(counter, data.counter)
  counter.toggleAttribute("data-over", data.over)
  const list = root.querySelector(".notices")
  if (list.textContent !== data.notices.join("")) list.replaceChildren(...data.notices.map(noticeItem))
  root.querySelector(".keys").hidden = !data.saves
  box.rows = data.rows
  box.readOnly = data.locked
  box.placeholder = data.placeholder
  box.setAttribute("aria-label", data.label)
}

function noticeItem(text) {
  const item = document.createElement("li")
  item.textContent = text
  return item
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

function asBoxText(text) {
  return text.replace(/\r\n?/g, "\n") // what a textarea makes of line ends
}
