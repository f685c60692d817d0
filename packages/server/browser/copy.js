// Adds copy buttons to addresses. Pages of ids work without this script.
for (const button of document.querySelectorAll('button[data-copies]')) {
  const address = document.getElementById(button.dataset.copies)
  const status = button.parentElement.querySelector('[role="status"]')
  button.hidden = false
  button.addEventListener('click', async () => {
    status.textContent = ''
    try {
      await navigator.clipboard.writeText(address.textContent)
      status.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(address)
      status.textContent = 'Selected. Copy it with your keyboard.'
    }
  })
}
