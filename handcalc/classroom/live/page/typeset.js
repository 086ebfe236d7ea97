// Text with subscripts and superscripts, as Python writes it; whatever else looks like markup stays text.

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&#39;": "'", "&amp;": "&" };
const plain = (text) => text.replace(/&(?:lt|gt|quot|#x27|#39|amp);/g, (entity) => ENTITIES[entity]);

// Pieces of text, each with the tags it stands in: [["A", []], ["Q", ["sub"]]].
export function pieces(html) {
  const open = [];
  const found = [];
  for (const part of html.split(/(<\/?su[bp]>)/)) {
    const tag = /^<(\/?)(su[bp])>$/.exec(part);
    if (tag && tag[1]) open.splice(open.lastIndexOf(tag[2]) >>> 0, 1);
    else if (tag) open.push(tag[2]);
    else if (part) found.push([plain(part), [...open]]);
  }
  return found;
}

// The same as nodes.
export function typeset(html) {
  const all = document.createDocumentFragment();
  for (const [text, tags] of pieces(html)) {
    let at = all;
    for (const tag of tags) at = at.appendChild(document.createElement(tag));
    at.append(text);
  }
  return all;
}
