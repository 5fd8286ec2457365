/// A text that is asked for.
package enum ReaderPrompt: Sendable {
    case search, hashtag, profile

    var title: String {
        switch self {
        case .search: "Search: "
        case .hashtag: "Hashtag: #"
        case .profile: "Profile: @"
        }
    }

    /// - Parameter text: Not empty.
    func source(_ text: String) -> ReaderSource {
        switch self {
        case .search: .search(text)
        case .hashtag: .tag(String(text.drop { $0 == "#" }))
        case .profile: .profile(String(text.drop { $0 == "@" }))
        }
    }
}

/// A question before something that cannot be undone.
package enum ReaderQuestion: Sendable {
    case delete(String)
    /// Whether to remove a post from the outbox.
    case drop(String)
    /// Whether to discard what was written.
    case discard(ReaderForm)
}

/// A choice from a list.
package struct ReaderPicker: Sendable {
    package enum Purpose: Sendable {
        case source([ReaderSource])
        case account([String])
        /// The options of a status's poll.
        case vote(String, ReaderPoll)
    }

    package let title: String
    package let rows: [String]
    package let purpose: Purpose
    package private(set) var selection = 0
    package private(set) var chosen: Set<Int> = []

    init(_ title: String, _ rows: [String], _ purpose: Purpose) {
        (self.title, self.rows, self.purpose) = (title, rows, purpose)
    }

    /// Whether several rows can be chosen.
    var isMultiple: Bool { if case .vote(_, let poll) = purpose { poll.isMultiple } else { false } }

    var selectedRow: String? { rows.indices.contains(selection) ? rows[selection] : nil }

    /// The picker with a row selected, if it has one like it.
    func selecting(_ row: String?) -> ReaderPicker {
        var picker = self
        picker.selection = rows.firstIndex { $0 == row } ?? 0
        return picker
    }

    mutating func move(by count: Int) { selection = max(0, min(selection + count, rows.count - 1)) }

    mutating func toggle() {
        guard isMultiple else { return }
        if chosen.remove(selection) == nil { chosen.insert(selection) }
    }
}

/// The effect of keys while something is asked, chosen, viewed or written.
extension ReaderState {
    mutating func answer(_ prompt: ReaderPrompt, _ input: TextInput, _ key: Key) -> [ReaderEffect] {
        var input = input
        switch key {
        case .escape, .control("c"),
            .enter where input.isEmpty:
            mode = .reading
        case .enter: return open(prompt.source(input.text))
        default:
            _ = input.take(key, isBlock: false)
            mode = .prompt(prompt, input)
        }
        return []
    }

    mutating func answer(_ question: ReaderQuestion, _ key: Key) -> [ReaderEffect] {
        let isYes = key == .character("y") || key == .character("Y")
        switch question {
        case .delete(let id):
            mode = .reading
            return isYes ? [.delete(id)] : []
        case .drop(let id):
            mode = .reading
            return isYes ? [.drop(id)] : []
        case .discard(let form):
            mode = isYes ? .reading : .writing(form)
            return []
        }
    }

    mutating func pick(_ picker: ReaderPicker, _ key: Key) -> [ReaderEffect] {
        var picker = picker
        switch key {
        case .character("j"), .down: picker.move(by: 1)
        case .character("k"), .up: picker.move(by: -1)
        case .character("g"), .home: picker.move(by: -picker.rows.count)
        case .character("G"), .end: picker.move(by: picker.rows.count)
        case .pageDown, .control("d"): picker.move(by: layout.body.rows / 2)
        case .pageUp, .control("u"): picker.move(by: -layout.body.rows / 2)
        case .character(" "): picker.toggle()
        case .enter: return choose(picker)
        case .escape, .character("q"), .control("c"):
            mode = .reading
            return []
        default: break
        }
        mode = .picker(picker)
        return []
    }

    private mutating func choose(_ picker: ReaderPicker) -> [ReaderEffect] {
        mode = .reading
        guard picker.rows.indices.contains(picker.selection) else { return [] }
        switch picker.purpose {
        case .source(let sources): return open(sources[picker.selection])
        case .account(let accounts): return [.account(accounts[picker.selection])]
        case .vote(let id, _):
            return [.vote(id, picker.chosen.isEmpty ? [picker.selection] : picker.chosen.sorted())]
        }
    }

    // MARK: Pictures and files

    mutating func view(_ gallery: ReaderGallery, _ key: Key) -> [ReaderEffect] {
        var gallery = gallery
        switch key {
        case .character("j"), .character("l"), .down, .right, .character(" "), .pageDown:
            return gallery.move(by: 1) ? view(gallery) : []
        case .character("k"), .character("h"), .up, .left, .pageUp: return gallery.move(by: -1) ? view(gallery) : []
        case .character("o"): return gallery.shown.address.map { [.open($0)] } ?? []
        case .escape, .enter, .character("q"), .character("m"), .control("c"): mode = .reading
        default: break
        }
        return []
    }

    // MARK: Writing

    mutating func write(_ form: ReaderForm, _ key: Key) -> [ReaderEffect] {
        var form = form
        switch key {
        case .control("s"):
            form = form.complete
            guard form.canBeSent else {
                notice = form.isTooLong ? "The text is too long." : "There is no text yet."
                return []
            }
            mode = .reading
            return [.post(form)]
        case .control("o"):
            mode = .reading
            return [.editor(form)]
        case .escape, .control("c"):
            mode = form.isChanged ? .question("Discard what you have written?", .discard(form)) : .reading
        default:
            form.take(key)
            mode = .writing(form)
        }
        return []
    }
}
