// Tells the server which part of a plotly chart is shown, once that has come to rest, and once that it has marks.

const EVERY_MS = 200
const watches = new WeakMap() // one for each place on the page: this module's function runs again at every rerun

export default function (component) {
  const root = component.parentElement
  if (!watches.has(root)) watches.set(root, createWatch())
  const watch = watches.get(root)
  watch.update(component)
  return watch.close
}

function createWatch() {
  let component = null
  let seen = ""
  let sent = ""
  let timer = 0
  let told = false

  function look() {
    const plot = document.querySelector(`.st-key-${component.data.chart} .js-plotly-plot`)
    const layout = plot?.layout
    if (!told && plot?.data?.some((trace) => trace.customdata?.length)) {
      told = true
      component.setStateValue("marks", true)
    }
    if (!layout?.xaxis?.range || !layout?.yaxis?.range) return
    const part = [...layout.xaxis.range, ...layout.yaxis.range].map((end) => Math.round(end * 1e4) / 1e4)
    const now = part.join()
    if (now === seen && now !== sent) {
      sent = now
      component.setStateValue("part", part)
    }
    seen = now
  }

  return {
    update(next) {
      component = next
      if (!timer) timer = setInterval(look, EVERY_MS)
    },
    close() {
      clearInterval(timer)
      timer = 0
    },
  }
}
