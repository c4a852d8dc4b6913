// Gives each toast its text as the name that it refers to, and lets screen readers tell it. Takes no place on the page.

const FOR_MS = 2000 // the toast comes within the same run

export default function (component) {
  const root = component.parentElement
  const host = root.host ?? root.getRootNode().host ?? root
  host.closest('[data-testid="stElementContainer"]')?.style.setProperty("position", "absolute")
  const watch = new MutationObserver(name)
  watch.observe(document.body, { childList: true, subtree: true })
  name()
  const ended = setTimeout(() => watch.disconnect(), FOR_MS)
  return () => {
    clearTimeout(ended)
    watch.disconnect()
  }
}

function name() {
  for (const toast of document.querySelectorAll('[data-testid="stToast"][aria-labelledby]')) {
    const id = toast.getAttribute("aria-labelledby")
    const text = toast.querySelector('[data-testid="stToastText"]')
    if (!text || document.getElementById(id)) continue
    text.id = id
    text.setAttribute("role", "alert")
  }
}
