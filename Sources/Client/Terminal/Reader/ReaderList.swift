/// The entries of a list, one of which is selected as long as there are any.
package struct ReaderList: Sendable {
    /// The number of entries that are kept below the selection while new ones arrive above.
    private static let maximumBelow = 2000

    package private(set) var items: [ReaderItem] = []
    /// The index of the selected entry; 0 if there are none.
    package private(set) var selection = 0
    /// The index of the entry at the top of the pane.
    package private(set) var top = 0
    /// The entries above that the reader has not seen.
    package private(set) var unseen: Set<String> = []
    /// When the entries have arrived that were not loaded.
    private var arrivals: [String: ContinuousClock.Instant] = [:]
    /// The newest entry that the reader has seen.
    private(set) var seen: String?
    /// The entry with which the list starts as soon as it is known: the newest one that was seen earlier.
    private var start: String?
    /// Whether a key has been pressed since the list was shown.
    private var isTouched = false
    package private(set) var isLoaded = false
    /// Whether the first entries have yet to arrive, as far as that has not failed.
    package private(set) var isLoading = true
    /// The reason why the entries could not be loaded, if that was the last attempt.
    private var failure: String?
    /// Whether older entries have been requested.
    package internal(set) var isWaiting = false
    /// Whether that has failed. They are requested again with the next key, rather than at once.
    private var hasFailed = false
    private(set) var isComplete = false
    /// The last entries of pages below the list that were left out as a whole.
    private var passed: Set<String> = []

    package var selected: ReaderItem? { items.indices.contains(selection) ? items[selection] : nil }

    /// The text shown in place of entries while the list is empty.
    package var placeholder: String {
        if isLoading { return "Loading…" }
        return failure.map { "Could not be loaded: " + $0 } ?? "Nothing here."
    }

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
        // Seeing an entry does not mark newer ones as seen.
        guard unseen.isEmpty, let newest = items.first(where: { !$0.isPinned })?.id, newest != seen else { return nil }
        seen = newest
        return newest
    }

    // MARK: Changing

    /// - Parameter id: The newest entry that was seen earlier, here or on another device. The list starts with it, unless
    ///   somebody reads it already.
    mutating func resume(at id: String) {
        guard !isTouched, seen.map({ Self.isLater(id, than: $0) }) ?? true else { return }
        (seen, start) = (id, id)
        if isLoaded { startAtSeen() }
    }

    /// From now on, only keys move the selection.
    mutating func touch() {
        isTouched = isLoaded
        if hasFailed { (isWaiting, hasFailed) = (false, false) }
    }

    /// The ids of a server are numbers, where a longer one is greater, or strings of equal length.
    private static func isLater(_ id: String, than other: String) -> Bool {
        (id.utf8.count, id) > (other.utf8.count, other)
    }

    /// Replaces the entries. The selected entry stays where it is on the screen; if it is gone, the next older one takes
    /// its place. If all have disappeared, the oldest of the new ones is selected.
    mutating func replace(with new: [ReaderItem]) {
        // A server may repeat an entry.
        var ids: Set<String> = []
        let new = (items.prefix { $0.isPinned } + new).filter { ids.insert($0.id).inserted }
        let known = Set(items.map(\.id))
        let places = Dictionary(new.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let first = items.lazy.filter { !$0.isPinned }.compactMap { places[$0.id] }.first
        // More has arrived than was loaded: all of it is new, and what was read has yet to be loaded below it.
        let isReplaced = isLoaded && first == nil
        let last = isReplaced && selected?.isPinned == false ? new.count - 1 : nil
        unseen = unseen.filter { places[$0] != nil }
        unseen.formUnion(
            new.prefix(first ?? (isReplaced ? new.count : 0)).lazy.map(\.id).filter { !known.contains($0) })
        let (offset, next) = (selection - top, last ?? place(in: places) ?? 0)
        // What was below the last entry may be missing now.
        if let end = items.last?.id, places[end] == nil { isComplete = false }
        items = new
        arrivals = arrivals.filter { places[$0.key] != nil }
        select(next)
        top = max(0, selection - offset)
        if !isTouched { startAtSeen() }
        (isLoaded, isLoading, failure) = (true, false, nil)
        trim()
    }

    /// The entries could not be loaded.
    mutating func fail(_ reason: String) { (isLoading, failure) = (false, reason) }

    /// Removes entries far below the selection; they are loaded again when the selection gets there.
    private mutating func trim() {
        let end = selection + Self.maximumBelow
        guard items.count > end else { return }
        for item in items[end...] { unseen.remove(item.id) }
        items.removeSubrange(end...)
        isComplete = false
    }

    /// Starts where the reader stopped the last time, with what is new above. That entry may have been deleted, or may have
    /// yet to arrive.
    private mutating func startAtSeen() {
        guard let id = start, let newest = items.first(where: { !$0.isPinned })?.id, !Self.isLater(id, than: newest)
        else { return }
        start = nil
        guard let index = items.firstIndex(where: { !$0.isPinned && !Self.isLater($0.id, than: id) }) else { return }
        (selection, top) = (index, index)
        unseen = Set(items[..<index].filter { !$0.isPinned }.map(\.id))
    }

    /// Puts an entry at the top, instead of the one there. A list that is at its start stays there.
    mutating func pin(_ item: ReaderItem) {
        let isAtStart = selection == 0
        var item = item
        item.isPinned = true
        let others = items.filter { !$0.isPinned }
        if items.count == others.count, !isAtStart { (selection, top) = (selection + 1, top + 1) }
        items = [item] + others
    }

    /// The index at which the selected entry is, or the nearest one that remains.
    private func place(in places: [String: Int]) -> Int? {
        guard !items.isEmpty else { return nil }
        return items[selection...].lazy.compactMap { places[$0.id] }.first
            ?? items[..<selection].reversed().lazy.compactMap { places[$0.id] }.first
    }

    /// Replaces the newest entries. Older ones that have been read stay below them.
    /// - Parameter start: When they were asked for: newer ones that have arrived since stay above them.
    mutating func refresh(with new: [ReaderItem], since start: ContinuousClock.Instant?) {
        let ids = Set(new.map(\.id))
        // A notification that is older than a loaded group may be part of it: the group has the id of its newest one.
        let later = items.filter { item in
            hasArrived(item, since: start) && new.first.map { Self.isLater(item.id, than: $0.id) } ?? true
        }
        let end = new.last.flatMap { last in items.firstIndex { $0.id == last.id } }
        let older = end.map { end in items[(end + 1)...].filter { !ids.contains($0.id) } } ?? []
        replace(with: later + new + older)
    }

    private func hasArrived(_ item: ReaderItem, since start: ContinuousClock.Instant?) -> Bool {
        guard let start, let time = arrivals[item.id] else { return false }
        return time > start
    }

    /// Adds entries above the others.
    mutating func insert(_ new: [ReaderItem], at time: ContinuousClock.Instant) {
        let ids = Set(new.map(\.id))
        for id in ids { arrivals[id] = time }
        replace(with: new + items.filter { !ids.contains($0.id) })
    }

    /// - Parameter older: `nil` if they could not be loaded.
    mutating func append(_ older: [ReaderItem]?) {
        passed = []
        guard let older else { return hasFailed = true }
        var known = Set(items.map(\.id))
        let new = older.filter { known.insert($0.id).inserted }
        items += new
        // A server that does not know where to begin sends what is known.
        (isWaiting, isComplete) = (false, new.isEmpty)
    }

    /// Leaves out a page below the list.
    /// - Parameter id: Its last entry.
    /// - Returns: Whether the page below it may be loaded. A server may repeat a page.
    mutating func pass(_ id: String) -> Bool { passed.insert(id).inserted }

    /// Replaces an entry.
    /// - Returns: Whether it is clear that nothing else is about the same status.
    mutating func change(_ item: ReaderItem) -> Bool {
        var isComplete = true
        for index in items.indices where items[index].statusID == item.statusID {
            if items[index].id == item.id { items[index] = item } else { isComplete = false }
        }
        return isComplete
    }

    /// Removes the entries about a status, or the boost that has this id itself.
    mutating func remove(status id: String) {
        let others = items.filter { $0.statusID != id && $0.id != id }
        if others.count < items.count { replace(with: others) }
    }

    mutating func set(_ reaction: ReaderReaction, of id: String, to isSet: Bool) {
        for index in items.indices where items[index].statusID == id {
            items[index].set(reaction, to: isSet)
        }
    }
}
