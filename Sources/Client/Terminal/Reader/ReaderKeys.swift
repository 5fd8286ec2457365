/// The keys of the reader, as `?` shows them.
enum ReaderKeys {
    private static let reading = [
        ("j k", "down, up"), ("g G", "first, last"), ("Space", "a page down"), ("^D ^U", "half a page"),
        ("Enter", "the conversation"), ("Tab", "the other pane"), ("Esc q", "back, quit"),
        ("n", "oldest new entry"), ("R", "ask the server"), ("/ # @", "search, tag, person"),
        ("1 to 8", "home, local, …"), ("L", "all lists, hashtags"), ("A", "another login"),
        ("^L ^Z", "redraw, suspend"),
    ]
    private static let acting = [
        ("c", "compose"), ("r", "reply"), ("b", "boost, or undo"), ("f", "favourite, or undo"),
        ("B", "bookmark, or undo"), ("v", "vote"), ("m", "pictures and files"), ("o", "open in browser"),
        ("u", "profile of author"), ("F", "follow, in a profile"), ("e", "edit your status"),
        ("d", "delete it"), ("?", "these keys"), ("^C", "cancel, or quit"),
    ]
    private static let keyColumns = 8
    private static let minimumColumns = 28

    /// Two columns of keys.
    static func lines(columns: Int) -> [String] {
        let width = max(minimumColumns, min(44, columns / 2))
        return zip(reading, acting).map { left, right in
            TextWidth.padded(line(left), to: width) + line(right)
        }
    }

    private static func line(_ key: (String, String)) -> String {
        TextWidth.padded(key.0, to: keyColumns) + key.1
    }
}

/// The effect of the keys.
extension ReaderState {
    /// Performs what a key stands for.
    mutating func take(_ key: Key) -> [ReaderEffect] {
        notice = nil
        switch key {
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        default: break
        }
        switch mode {
        case .reading: return read(key)
        case .help:
            mode = .reading
            return []
        case .prompt(let prompt, let input): return answer(prompt, input, key)
        case .question(_, let question): return answer(question, key)
        case .picker(let picker): return pick(picker, key)
        case .opening(let form, let keys):
            mode = [.escape, .control("c")].contains(key) ? .reading : .opening(form, typed: keys + [key])
            return []
        case .writing(let form): return write(form, key)
        case .viewing(let gallery): return view(gallery, key)
        }
    }

    // MARK: Reading

    private mutating func read(_ key: Key) -> [ReaderEffect] {
        switch key {
        case .control("c"): return [.quit]
        case .character("q"), .escape:
            let isAtStart = detail.threadID == nil && focus == .list && history.isEmpty
            return isAtStart ? (key == .escape ? [] : [.quit]) : back()
        case .character("?"): mode = .help
        case .character("R"), .control("r"): return source == .outbox ? [.flush(isAutomatic: false)] : [.load(source)]
        case .character("n"): selectUnseen()
        case .tab: focus = focus == .list ? .detail : .list
        case .character("/"): mode = .prompt(.search, TextInput())
        case .character("#"): mode = .prompt(.hashtag, TextInput())
        case .character("@"): mode = .prompt(.profile, TextInput())
        case .character("L"): mode = .picker(sourcePicker)
        case .character("A"): mode = .picker(accountPicker)
        case .character("c"): if isLoggedIn() { mode = .writing(newForm) }
        case .character(let digit) where digit.isASCII && digit.isNumber: return open(number: digit)
        default: if !move(key) { return act(key) }
        }
        return []
    }

    var sourcePicker: ReaderPicker {
        let sources = ReaderSource.numbered + sources
        return ReaderPicker("Go to", sources.map(\.title), .source(sources))
    }

    var accountPicker: ReaderPicker { ReaderPicker("Read as", accounts, .account(accounts)) }

    private mutating func open(number digit: Character) -> [ReaderEffect] {
        guard let number = digit.wholeNumberValue, (1...ReaderSource.numbered.count).contains(number) else { return [] }
        return open(ReaderSource.numbered[number - 1])
    }

    private mutating func selectUnseen() {
        focus = .list
        changeList { list, _ in list.selectUnseen() }
        detail.show(list.selected)
    }

    /// - Returns: Whether the key moves.
    private mutating func move(_ key: Key) -> Bool {
        focus == .list ? moveInList(key) : moveInDetail(key)
    }

    private mutating func moveInList(_ key: Key) -> Bool {
        switch key {
        case .character("j"), .down: changeList { list, _ in list.move(by: 1) }
        case .character("k"), .up: changeList { list, _ in list.move(by: -1) }
        case .character("g"), .home: changeList { list, _ in list.select(0) }
        case .character("G"), .end: changeList { list, _ in list.select(list.items.count - 1) }
        case .pageDown, .control("f"), .character(" "): changeList { list, capacity in list.move(by: capacity) }
        case .pageUp, .control("b"): changeList { list, capacity in list.move(by: -capacity) }
        case .control("d"): changeList { list, capacity in list.move(by: max(1, capacity / 2)) }
        case .control("u"): changeList { list, capacity in list.move(by: -max(1, capacity / 2)) }
        default: return false
        }
        // A conversation belongs to the entry that was selected.
        detail.show(list.selected)
        return true
    }

    private mutating func changeList(_ body: (_ list: inout ReaderList, _ capacity: Int) -> Void) {
        let capacity = layout.capacity
        if lists[source] != nil { body(&lists[source, default: ReaderList()], capacity) }
    }

    private mutating func moveInDetail(_ key: Key) -> Bool {
        let size = layout.text
        switch key {
        case .character("j"), .down: detail.down(1, size)
        case .character("k"), .up: detail.up(1, size)
        case .pageDown, .control("f"), .character(" "): detail.down(max(1, size.rows - 1), size)
        case .pageUp, .control("b"): detail.up(max(1, size.rows - 1), size)
        case .control("d"): detail.down(max(1, size.rows / 2), size)
        case .control("u"): detail.up(max(1, size.rows / 2), size)
        case .character("g"), .home: detail.select(0)
        case .character("G"), .end: detail.select(detail.items.count - 1)
        default: return false
        }
        return true
    }

    // MARK: Acting on the selected entry

    private mutating func act(_ key: Key) -> [ReaderEffect] {
        guard let item = selected else { return [] }
        switch key {
        case .character("u"): return item.handle.map { open(.profile($0)) } ?? []
        case .character("o"): return item.url.map { [.open($0)] } ?? []
        case .character("F"): return follow()
        case .character("m"):
            if let gallery = ReaderGallery(item.media) { return view(gallery) }
            notice = "There are no pictures or files."
        case .character("d") where source == .outbox: mode = .question("Remove this from the outbox?", .drop(item.id))
        case .enter where item.opens != nil: return item.opens.map { open($0) } ?? []
        default: return item.statusID.map { act(key, item, $0) } ?? []
        }
        return []
    }

    /// Follows the account of the open profile, whichever of its entries is selected.
    private mutating func follow() -> [ReaderEffect] {
        guard case .profile(let name) = source, let isFollowed = list.items.first(where: \.isPinned)?.isFollowed else {
            notice = "Profiles can be followed: u opens that of the author."
            return []
        }
        return [.follow(name, undo: isFollowed)]
    }

    /// Says that a key needs a login if there is none.
    private mutating func isLoggedIn() -> Bool {
        if account.isEmpty { notice = "Log in first: feedclient login URL." }
        return !account.isEmpty
    }

    private mutating func act(_ key: Key, _ item: ReaderItem, _ id: String) -> [ReaderEffect] {
        guard key == .enter else { return isWriting(key) && isLoggedIn() ? change(key, item, id) : [] }
        let isConversation = source == .conversations && focus == .list
        focus = .detail
        return [.thread(id)] + (isConversation ? [.markRead(conversation: item.id)] : [])
    }

    private func isWriting(_ key: Key) -> Bool {
        if case .character(let letter) = key { "rbfBedv".contains(letter) } else { false }
    }

    /// Performs a key that needs a login.
    private mutating func change(_ key: Key, _ item: ReaderItem, _ id: String) -> [ReaderEffect] {
        switch key {
        case .character("r"): return request(.reply(id))
        case .character("b"): return react(.boost, item, id)
        case .character("f"): return react(.favourite, item, id)
        case .character("B"): return react(.bookmark, item, id)
        case .character("e") where item.isOwn: return request(.edit(id))
        case .character("d") where item.isOwn: mode = .question("Delete this status?", .delete(id))
        case .character("e"), .character("d"): notice = "Only your own statuses can be edited or deleted."
        case .character("v"): vote(item, id)
        default: break
        }
        return []
    }

    private mutating func request(_ form: ReaderEffect) -> [ReaderEffect] {
        mode = .opening(form, typed: [])
        return [form]
    }

    /// The mark appears at once; the server is told when it can be reached.
    private mutating func react(_ reaction: ReaderReaction, _ item: ReaderItem, _ id: String) -> [ReaderEffect] {
        let isSet = item.reactions.contains(reaction)
        set(reaction, of: id, to: !isSet)
        return [.react(reaction, id, undo: isSet)]
    }

    private mutating func vote(_ item: ReaderItem, _ id: String) {
        guard let poll = item.poll else { return notice = "There is no open poll." }
        mode = .picker(ReaderPicker("Vote", poll.options, .vote(id, poll)))
    }
}
