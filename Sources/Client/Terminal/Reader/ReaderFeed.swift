/// The entries of a list, one of which is selected as long as there are any.
package struct ReaderFeed: Sendable {
    package private(set) var items: [ReaderItem] = []
    /// The index of the selected entry; 0 if there are none.
    package private(set) var selection = 0
    /// The index of the entry at the top of the pane.
    package private(set) var top = 0
    /// The entries above that the reader has not seen.
    package private(set) var unseen: Set<String> = []
    /// The newest entry that the reader has seen.
    private(set) var seen: String?
    package private(set) var isLoaded = false
    /// Whether older entries have been requested.
    var isWaiting = false
    var isComplete = false

    package var selected: ReaderItem? { items.indices.contains(selection) ? items[selection] : nil }

    package init() {}

    // MARK: Moving

    mutating func select(_ index: Int) { selection = max(0, min(index, items.count - 1)) }

    mutating func move(by count: Int) { select(selection + count) }

    /// Selects the oldest entry that the reader has not seen.
    mutating func selectUnseen() { if let index = items.lastIndex(where: { unseen.contains($0.id) }) { select(index) } }

    /// Scrolls so that the selected entry is visible.
    /// - Parameter capacity: The number of entries for which there is room.
    mutating func scroll(capacity: Int) {
        let capacity = max(1, capacity)
        top = min(max(top, selection - capacity + 1), selection)
        top = max(0, min(top, items.count - capacity))
    }

    /// Marks the visible entries as seen.
    /// - Returns: The newest entry that has been seen, if that is news.
    mutating func see(capacity: Int) -> String? {
        for item in items[min(top, items.count)...].prefix(max(1, capacity)) { unseen.remove(item.id) }
        // Whoever has seen an entry may still have newer ones to see.
        guard unseen.isEmpty, let newest = items.first?.id, newest != seen else { return nil }
        seen = newest
        return newest
    }

    // MARK: Changing

    /// - Parameter id: The newest entry that was seen earlier, which the list starts with if it has been loaded.
    mutating func resume(at id: String) { if !isLoaded { seen = id } }

    /// Replaces the entries. The selected entry stays where it is on the screen; if it is gone, the next older one takes
    /// its place.
    mutating func replace(with new: [ReaderItem]) {
        // A server may repeat an entry.
        var ids: Set<String> = []
        let new = new.filter { ids.insert($0.id).inserted }
        let known = Set(items.map(\.id))
        let places = Dictionary(new.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let next = place(in: places) ?? 0
        let first = items.lazy.compactMap { places[$0.id] }.first ?? (isLoaded && known.isEmpty ? new.count : 0)
        unseen = unseen.filter { places[$0] != nil }
        unseen.formUnion(new.prefix(first).lazy.map(\.id).filter { !known.contains($0) })
        let offset = selection - top
        items = new
        select(next)
        top = max(0, selection - offset)
        if !isLoaded { startAtSeen() }
        isLoaded = true
    }

    /// Starts where the reader stopped the last time, with what is new above.
    private mutating func startAtSeen() {
        guard let index = items.firstIndex(where: { $0.id == seen }) else { return }
        (selection, top) = (index, index)
        unseen = Set(items[..<index].map(\.id))
    }

    /// The index at which the selected entry is, or the nearest one that remains.
    private func place(in places: [String: Int]) -> Int? {
        guard !items.isEmpty else { return nil }
        return items[selection...].lazy.compactMap { places[$0.id] }.first
            ?? items[..<selection].reversed().lazy.compactMap { places[$0.id] }.first
    }

    /// Replaces the newest entries. Older ones that have been read stay below them.
    mutating func refresh(with new: [ReaderItem]) {
        guard let last = new.last?.id, let end = items.firstIndex(where: { $0.id == last }) else {
            return replace(with: new)
        }
        let ids = Set(new.map(\.id))
        replace(with: new + items[(end + 1)...].filter { !ids.contains($0.id) })
    }

    mutating func insert(_ new: [ReaderItem]) {
        let ids = Set(new.map(\.id))
        replace(with: new + items.filter { !ids.contains($0.id) })
    }

    mutating func append(_ older: [ReaderItem]) {
        let known = Set(items.map(\.id))
        items += older.filter { !known.contains($0.id) }
        (isWaiting, isComplete) = (false, older.isEmpty)
    }

    /// Removes the entries about a status.
    mutating func remove(status id: String) {
        guard items.contains(where: { $0.statusID == id }) else { return }
        replace(with: items.filter { $0.statusID != id })
    }

    mutating func set(_ reaction: ReaderReaction, of id: String, to isSet: Bool) {
        for index in items.indices where items[index].statusID == id {
            items[index].set(reaction, to: isSet)
        }
    }
}

/// The entries that are shown in full: the selected one of a list, or the conversation around it.
package struct ReaderDetail: Sendable {
    package private(set) var items: [ReaderItem] = []
    package private(set) var selection = 0
    /// The status whose conversation this is; `nil` for a single entry.
    package private(set) var threadID: String?
    /// The entry at the top, and the number of its lines above the top.
    package private(set) var top = 0
    package private(set) var offset = 0

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
        (items, threadID) = (thread, id)
        selection = thread.firstIndex { $0.statusID == kept } ?? thread.firstIndex { $0.statusID == id } ?? 0
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
    private func height(_ index: Int, _ size: CellArea) -> Int { max(1, items[index].lines(size.columns).count) }
}
