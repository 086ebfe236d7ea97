// The blocks that a page has been sent: those opened last are kept, up to a limit.

const MAX_KEPT = 3_000_000; // numbers of givens: about 20 MB

export class BlockCache {
  constructor(fetch, most = MAX_KEPT) {
    Object.assign(this, { fetch, most, blocks: new Map() });
  }

  async get(path) {
    const block = this.blocks.get(path) ?? (await this.fetch(path));
    this.blocks.delete(path);
    if (!block.trouble) this.blocks.set(path, block);
    let count = 0;
    for (const [other, sent] of [...this.blocks].reverse()) {
      count += givenNumbers(sent);
      if (count > this.most && other !== path) this.blocks.delete(other);
    }
    return block;
  }

  clear() {
    this.blocks.clear();
  }
}

const givenNumbers = ({ variants }) => variants[0].spec.matrices.reduce((sum, { operation, shape }) => (operation ? sum : sum + shape[0] * shape[1]), 0);
