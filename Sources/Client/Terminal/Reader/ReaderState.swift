/// The state of the reader. It changes only by events, and has no access to anything else.
package struct ReaderState: Sendable {
    package enum Focus: Sendable { case list, detail }

    /// The purpose of the keys.
    package enum Mode: Sendable {
        case reading
        case help
        case prompt(ReaderPrompt, TextInput)
        case question(String, ReaderQuestion)
        case picker(ReaderPicker)
        /// Waiting for a form. Keys are not commands; those that have been typed are for the form.
        case opening(ReaderEffect, typed: [Key])
        case writing(ReaderForm)
        case viewing(ReaderGallery)
    }

    package internal(set) var layout: ReaderLayout
    package internal(set) var source: ReaderSource
    package internal(set) var lists: [ReaderSource: ReaderList] = [:]
    package internal(set) var detail = ReaderDetail()
    package internal(set) var focus = Focus.list
    package internal(set) var mode = Mode.reading
    /// Said until the next key.
    package var notice: String?
    /// The reason why the server cannot be reached.
    package internal(set) var offline: String?
    package internal(set) var account: String
    /// The sources that were shown before, the latest at the end.
    var history: [ReaderSource] = []
    /// Forms that have arrived while another one was open.
    var waiting: [ReaderForm] = []
    /// The reactions to statuses since the start. What is stored of them may not say so yet.
    private var reactions: [String: [ReaderReaction: Bool]] = [:]
    /// The statuses that have been deleted last. What was requested before may still contain them.
    private var deleted: [String] = []
    private static let maximumDeleted = 100
    var sources: [ReaderSource] = []
    var accounts: [String] = []
    /// The visibility of new statuses; empty for the default of the server.
    private var visibility = ""
    /// The maximum number of characters of a status.
    private var maximumCharacters: Int?
    let showsPictures: Bool

    /// - Parameters:
    ///   - account: The handle of the login; empty for none.
    ///   - showsPictures: Whether the terminal can show pictures.
    package init(columns: Int, rows: Int, account: String, showsPictures: Bool = false) {
        layout = ReaderLayout(columns: columns, rows: rows)
        (self.account, self.showsPictures) = (account, showsPictures)
        source = Self.first(account)
    }

    /// Visitors have no home timeline.
    private static func first(_ account: String) -> ReaderSource { account.isEmpty ? .public : .home }

    package var list: ReaderList { lists[source] ?? ReaderList() }

    /// The entry that keys act on.
    package var selected: ReaderItem? { focus == .detail ? detail.selected : list.selected }

    /// Applies an event.
    /// - Returns: What is to be done.
    package mutating func update(_ event: ReaderEvent) -> [ReaderEffect] {
        var effects: [ReaderEffect] = []
        switch event {
        case .key(let key):
            lists[source]?.touch()
            effects = take(key)
        case .resize(let columns, let rows): effects = resize(columns, rows)
        case .position(let source, let id): lists[source, default: ReaderList()].resume(at: id)
        case .pinned(let source, let item): lists[source, default: ReaderList()].pin(item)
        // The list is complete, so entries that it lacks have been removed.
        case .loaded(.outbox, let items, _): lists[.outbox, default: ReaderList()].replace(with: items)
        case .loaded(let source, let items, let start):
            lists[source, default: ReaderList()].refresh(with: marked(items), since: start)
        case .failed(let source, let reason): lists[source, default: ReaderList()].fail(reason)
        case .older(let source, let items): effects = append(items, to: source)
        case .arrived(let source, let items, let time):
            if isLoaded(source) { lists[source, default: ReaderList()].insert(marked(items), at: time) }
        case .changed(let item): effects = change(marked([item]))
        case .deleted(let id): remove(id)
        case .reacted(let reaction, let id, let isUndone): set(reaction, of: id, to: !isUndone)
        case .thread(let id, let items): show(marked(items), of: id)
        case .opened(let request, let form): effects = open(form, for: request)
        case .form(let form): waiting.append(completed(form))
        case .choices(let sources, let accounts): choose(from: sources, accounts)
        case .defaults(let visibility, let characters): set(visibility, characters)
        case .preview(let address, let lines): detail.take(lines, at: address)
        case .picture(let address, let picture): show(picture, at: address)
        case .account(let name): effects = change(to: name)
        case .offline(let reason): effects = setOffline(reason)
        case .notice(let text): notice = text
        case .outboxChanged: if source == .outbox { effects = [.load(.outbox)] }
        case .refresh: effects = [.load(source)]
        }
        return effects + settle()
    }

    /// The effects with which the reader starts.
    package mutating func start() -> [ReaderEffect] { [isLoaded(source) ? .load(source) : .resume(source)] }

    private func isLoaded(_ source: ReaderSource) -> Bool { lists[source]?.isLoaded == true }

    /// Opens a source, whose entries may be known from before.
    mutating func open(_ source: ReaderSource) -> [ReaderEffect] {
        if source != self.source {
            history.removeAll { $0 == source }
            history.append(self.source)
        }
        return show(source)
    }

    mutating func show(_ source: ReaderSource) -> [ReaderEffect] {
        (self.source, focus, mode) = (source, .list, .reading)
        detail.show(list.selected)
        return start()
    }

    /// Leaves the conversation, or else the source.
    mutating func back() -> [ReaderEffect] {
        if detail.threadID != nil || focus == .detail {
            focus = .list
            detail.show(list.selected)
            return []
        }
        return history.popLast().map { show($0) } ?? []
    }

    mutating func set(_ reaction: ReaderReaction, of id: String, to isSet: Bool) {
        reactions[id, default: [:]][reaction] = isSet
        for source in lists.keys { lists[source]?.set(reaction, of: id, to: isSet) }
        detail.set(reaction, of: id, to: isSet)
    }

    private mutating func resize(_ columns: Int, _ rows: Int) -> [ReaderEffect] {
        layout = ReaderLayout(columns: columns, rows: rows)
        detail.forgetPictures()
        guard case .viewing(var gallery) = mode else { return [] }
        gallery.forget()
        return view(gallery)
    }

    private func marked(_ items: [ReaderItem]) -> [ReaderItem] {
        guard !reactions.isEmpty || !deleted.isEmpty else { return items }
        let remaining = items.filter { !deleted.contains($0.id) && !deleted.contains($0.statusID ?? $0.id) }
        return remaining.map { item in
            var item = item
            for (reaction, isSet) in item.statusID.flatMap({ reactions[$0] }) ?? [:] { item.set(reaction, to: isSet) }
            return item
        }
    }

    /// Adds older entries. If all of them have been deleted here, those below them are loaded instead.
    private mutating func append(_ older: [ReaderItem]?, to source: ReaderSource) -> [ReaderEffect] {
        let shown = older.map { marked($0) }
        if let last = older?.last?.id, shown?.isEmpty == true, lists[source]?.pass(last) == true {
            return [.older(source, before: last)]
        }
        lists[source, default: ReaderList()].append(shown)
        return []
    }

    /// A list that shows the status differently, such as a boost or a conversation, is loaded again.
    private mutating func change(_ items: [ReaderItem]) -> [ReaderEffect] {
        var outdated: [ReaderSource] = []
        for item in items {
            for source in lists.keys where lists[source]?.change(item) == false { outdated.append(source) }
        }
        let ids = items.map(\.statusID)
        let thread = detail.items.contains { ids.contains($0.statusID) } ? detail.threadID : nil
        return outdated.filter { $0 == source }.map { .load($0) } + (thread.map { [.thread($0)] } ?? [])
    }

    private mutating func remove(_ id: String) {
        deleted = (deleted + [id]).suffix(Self.maximumDeleted)
        for source in lists.keys { lists[source]?.remove(status: id) }
        if detail.threadID == id { detail.show(list.selected) } else { detail.remove(status: id) }
    }

    /// A post in the outbox is sent as soon as the server can be reached again.
    private mutating func setOffline(_ reason: String?) -> [ReaderEffect] {
        let isBack = offline != nil && reason == nil
        offline = reason
        return isBack && !account.isEmpty ? [.flush(isAutomatic: true)] : []
    }

    /// A conversation may arrive when something else has been selected.
    private mutating func show(_ thread: [ReaderItem], of id: String) {
        let isWanted = focus == .detail && (detail.threadID ?? list.selected?.statusID) == id
        if isWanted, !thread.isEmpty { detail.show(thread: thread, of: id) }
    }

    /// A list of choices that is open already gets them, too.
    private mutating func choose(from sources: [ReaderSource], _ accounts: [String]) {
        (self.sources, self.accounts) = (sources, accounts)
        guard case .picker(let picker) = mode else { return }
        switch picker.purpose {
        case .source: mode = .picker(sourcePicker.selecting(picker.selectedRow))
        case .account: mode = .picker(accountPicker.selecting(picker.selectedRow))
        case .vote: break
        }
    }

    private mutating func change(to account: String) -> [ReaderEffect] {
        self.account = account
        (lists, history, offline, mode) = ([:], [], nil, .reading)
        (waiting, reactions, deleted, visibility, maximumCharacters) = ([], [:], [], "", nil)
        detail = ReaderDetail()
        return show(Self.first(account))
    }

    /// Makes the selected entry visible, shows it in full, and finds out what has been seen and what is needed below.
    private mutating func settle() -> [ReaderEffect] {
        var effects: [ReaderEffect] = []
        if var list = lists[source] {
            lists[source] = nil
            list.scroll(capacity: layout.capacity)
            if let id = list.see(capacity: layout.capacity) { effects.append(.seen(source, upTo: id)) }
            if let last = list.items.last, !last.isPinned, !list.isWaiting, !list.isComplete,
                list.items.count - list.selection < 2 * layout.capacity
            {
                list.isWaiting = true
                effects.append(.older(source, before: last.id))
            }
            lists[source] = list
        }
        if case .reading = mode, !waiting.isEmpty { mode = .writing(waiting.removeFirst()) }
        if detail.threadID == nil { detail.show(list.selected) }
        detail.fit(layout.text)
        return effects + (showsPictures ? detail.request(layout.text).map(preview) : [])
    }

    // MARK: Pictures

    private func preview(_ address: String) -> ReaderEffect {
        .preview(address, columns: layout.text.columns, rows: layout.pictureRows)
    }

    /// Shows the files of an entry on the whole screen.
    mutating func view(_ gallery: ReaderGallery) -> [ReaderEffect] {
        mode = .viewing(gallery)
        return showsPictures ? gallery.effects(layout.picture) : []
    }

    private mutating func show(_ picture: ReaderPicture, at address: String) {
        guard case .viewing(var gallery) = mode else { return }
        gallery.take(picture, at: address)
        mode = .viewing(gallery)
    }

    // MARK: Forms

    private mutating func set(_ visibility: String?, _ characters: Int?) {
        self.visibility = visibility ?? self.visibility
        maximumCharacters = characters ?? maximumCharacters
    }

    /// A form for a new status.
    var newForm: ReaderForm { completed(ReaderForm()) }

    /// A form that is no longer waited for is not shown.
    private mutating func open(_ form: ReaderForm?, for request: ReaderEffect) -> [ReaderEffect] {
        guard case .opening(request, let keys) = mode else { return [] }
        mode = .reading
        guard let form else { return [] }
        mode = .writing(completed(form))
        return keys.flatMap { take($0) }
    }

    /// A form with what is known of the account and the server.
    package func completed(_ form: ReaderForm) -> ReaderForm {
        var form = form
        form.limit = maximumCharacters ?? form.limit
        // What the form says is what the status gets.
        if form.visibility.isEmpty, form.editing == nil { form.visibility = visibility }
        return form
    }
}
