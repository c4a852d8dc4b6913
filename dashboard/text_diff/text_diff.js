// Shows what changed in texts, word by word. Texts are put in as text, never as markup; a sign says what goes and what comes.

const KINDS = { delete: ["del", "−"], insert: ["ins", "+"] }

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".diff")
  root.setAttribute("role", "group")
  root.setAttribute("aria-label", data.label)
  root.replaceChildren(...data.changes.map(change))
}

function change({ place, parts }) {
  const box = document.createElement("div")
  box.append(line("place", place))
  const text = line("text", "")
  text.append(...parts.map(part))
  box.append(text)
  return box
}

function part([kind, text]) {
  if (!(kind in KINDS)) return document.createTextNode(text)
  const [tag, sign] = KINDS[kind]
  const element = document.createElement(tag)
  const mark = document.createElement("span")
  mark.className = "sign"
  mark.textContent = sign
  element.append(mark, document.createTextNode(text))
  return element
}

function line(name, text) {
  const element = document.createElement("div")
  element.className = name
  element.textContent = text
  return element
}
