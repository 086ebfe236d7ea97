// The places of elements on their sheet, in its own pixels: it may be drawn smaller (its zoom) than the page.
export function placesOn(sheet) {
  const { left, top, width } = sheet.getBoundingClientRect();
  const zoom = width / sheet.offsetWidth || 1;
  return (node) => {
    const box = node.getBoundingClientRect();
    return { left: (box.left - left) / zoom, top: (box.top - top) / zoom, width: box.width / zoom, height: box.height / zoom };
  };
}
