/// The entries that are shown in full: the selected one of a list, or the conversation around it.
package struct ReaderDetail: Sendable {
    package private(set) var items: [ReaderItem] = []
    package private(set) var selection = 0
    /// The status whose conversation this is; `nil` for a single entry.
    package private(set) var threadID: String?
    /// The entry at the top, and the number of its lines above the top.
    package private(set) var top = 0
    package private(set) var offset = 0

    /// The pictures that have been loaded; they fit into the pane.
    package private(set) var pictures: ReaderPictures = [:]
    private var requested: Set<String> = []

    /// More pictures are not kept at once.
    private static let maximumPictures = 64

    package var selected: ReaderItem? { items.indices.contains(selection) ? items[selection] : nil }

    /// Shows the selected entry of a list.
    mutating func show(_ item: ReaderItem?) {
        let isSame = threadID == nil && item?.id == items.first?.id
        (items, threadID, selection) = (item.map { [$0] } ?? [], nil, 0)
        if !isSame { (top, offset) = (0, 0) }
    }

    /// Shows a conversation, from the status that it was opened from.
    mutating func show(thread: [ReaderItem], of id: String) {
        let kept = threadID == id ? selected?.statusID : id
        let first = threadID == id && items.indices.contains(top) ? items[top].id : nil
        (items, threadID) = (thread, id)
        selection = thread.firstIndex { $0.statusID == kept } ?? thread.firstIndex { $0.statusID == id } ?? 0
        // What is being read stays where it is.
        if let place = thread.firstIndex(where: { $0.id == first }), place <= selection { return top = place }
        (top, offset) = (selection, 0)
    }

    mutating func remove(status id: String) {
        guard threadID != nil, let index = items.firstIndex(where: { $0.statusID == id }) else { return }
        items.remove(at: index)
        if index < selection { selection -= 1 }
        selection = max(0, min(selection, items.count - 1))
        (top, offset) = (selection, 0)
    }

    mutating func set(_ reaction: ReaderReaction, of id: String, to isSet: Bool) {
        for index in items.indices where items[index].statusID == id {
            items[index].set(reaction, to: isSet)
        }
    }

    // MARK: Pictures

    /// The pictures of the visible entries that have neither been loaded nor requested, which they are now.
    mutating func request(_ size: CellArea) -> [String] {
        let visible = items.indices.filter { $0 == selection || (top...top + 2).contains($0) }
        let previews = Set(size.isEmpty ? [] : visible.flatMap { items[$0].previews })
        defer { requested = previews }
        // A request for what is no longer visible may have been dropped.
        return previews.filter { pictures[$0] == nil && !requested.contains($0) }.sorted()
    }

    mutating func take(_ picture: [String], at address: String) {
        if pictures.count >= Self.maximumPictures { pictures = pictures.filter { requested.contains($0.key) } }
        pictures[address] = picture
    }

    mutating func forgetPictures() { (pictures, requested) = ([:], []) }

    // MARK: Scrolling

    /// Scrolls down by lines, or selects the next entry if the end of the selected one is visible.
    mutating func down(_ count: Int, _ size: CellArea) {
        let hidden = bottom(size) - size.rows
        if hidden > 0 {
            skip(min(count, hidden), size)
        } else if selection + 1 < items.count {
            selection += 1
            let hidden = min(bottom(size) - size.rows, start(size))
            if hidden > 0 { skip(hidden, size) }
        }
    }

    /// Scrolls up by lines, or selects the entry before if the start of the selected one is visible.
    mutating func up(_ count: Int, _ size: CellArea) {
        if selection > top {
            selection -= 1
        } else if offset > 0 {
            offset -= min(count, offset)
        } else if selection > 0 {
            selection -= 1
            top = selection
            offset = max(0, height(selection, size) - size.rows)
        }
    }

    mutating func select(_ index: Int) {
        selection = max(0, min(index, items.count - 1))
        (top, offset) = (selection, 0)
    }

    /// Corrects the position after the size has changed.
    mutating func fit(_ size: CellArea) {
        top = min(top, selection)
        offset = items.isEmpty ? 0 : max(0, min(offset, height(top, size) - 1))
        if start(size) >= size.rows { (top, offset) = (selection, 0) }
    }

    /// The line of the pane at which the selected entry starts; at most slightly more than the pane has.
    private func start(_ size: CellArea) -> Int {
        var line = -offset
        for index in top..<max(top, selection) where line <= size.rows { line += height(index, size) }
        return line
    }

    /// The line after the selected entry.
    private func bottom(_ size: CellArea) -> Int { start(size) + (items.isEmpty ? 0 : height(selection, size)) }

    private mutating func skip(_ count: Int, _ size: CellArea) {
        offset += count
        while top < selection, offset >= height(top, size) {
            offset -= height(top, size)
            top += 1
        }
        offset = min(offset, max(0, height(top, size) - 1))
    }

    /// The number of lines of an entry, at least one.
    private func height(_ index: Int, _ size: CellArea) -> Int { max(1, lines(index, size.columns).count) }

    func lines(_ index: Int, _ columns: Int) -> [String] { items[index].lines(columns, pictures) }
}
