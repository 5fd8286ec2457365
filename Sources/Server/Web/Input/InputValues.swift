import FeedAPI
import FeedCore
import Foundation

/// What a request carries by name: from the query, a form or a JSON object. Names keep a trailing `[]` away; what stands
/// inside an object has a name such as `source[privacy]`, inside a list of objects `fields[0][name]`.
struct InputValues: Sendable {
    /// Values one request may carry: everything that looks for one of them costs as much as there are.
    static let maximumCount = 300

    private var values: [String: [String]] = [:]
    private var count = 0
    /// Whether there was an escape that is not UTF-8.
    var isGarbled = false
    /// Whether a name or a value holds U+0000, at which databases end a text.
    private(set) var holdsNUL = false
    /// The names of the file parts that held something.
    private(set) var files: Set<String> = []
    /// The names of arrays and objects of JSON that held nothing.
    private(set) var emptyLists: Set<String> = []

    init() {}

    subscript(name: String) -> String? { values[name]?.last }

    /// All values of a list: `name`, `name[]` or `name[0]`, `name[1]` …
    func all(_ name: String) -> [String] {
        let numbered = values.keys.compactMap { key -> (Int, String)? in
            guard key.hasPrefix(name + "["), key.hasSuffix("]") else { return nil }
            return Int(key.dropFirst(name.count + 1).dropLast()).map { ($0, key) }
        }
        return (values[name] ?? []) + numbered.sorted { $0.0 < $1.0 }.flatMap { values[$0.1] ?? [] }
    }

    /// - Throws: ``FeedError`` `.tooLarge` beyond ``maximumCount``.
    mutating func append(_ name: String, _ value: String) throws(FeedError) {
        count += 1
        guard count <= Self.maximumCount else {
            throw FeedError(.tooLarge, "The request holds more than \(Self.maximumCount) values")
        }
        holdsNUL = holdsNUL || name.utf8.contains(0) || value.utf8.contains(0)
        values[name.hasSuffix("[]") ? String(name.dropLast(2)) : name, default: []].append(value)
    }

    mutating func note(file name: String) { files.insert(name) }

    mutating func note(emptyList name: String) { emptyLists.insert(name) }

    /// - Throws: ``FeedError`` `.invalid` when a text holds U+0000: storing it would cut it off without a word.
    func withoutNUL() throws(FeedError) -> InputValues {
        guard !holdsNUL else { throw .invalid("Text must not contain U+0000") }
        return self
    }

    mutating func merge(_ other: InputValues) {
        holdsNUL = holdsNUL || other.holdsNUL
        values.merge(other.values) { _, new in new }
        files.formUnion(other.files)
        emptyLists.formUnion(other.emptyLists)
    }

    /// A list of objects by the names of what is in each, in the order of their numbers; `nil` when there is none.
    func objects(_ name: String) -> [[String: String]]? {
        var found: [Int: [String: String]] = [:]
        for (key, list) in values where key.hasPrefix(name + "[") && key.hasSuffix("]") {
            let parts = key.dropFirst(name.count + 1).dropLast().components(separatedBy: "][")
            guard parts.count == 2, let number = Int(parts[0]) else { continue }
            found[number, default: [:]][parts[1]] = list.last
        }
        return found.isEmpty ? nil : found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// `true`, `True`, `1`, `on`; anything else is false, a missing value `nil`.
    func flag(_ name: String) -> Bool? {
        self[name].map { ["true", "1", "on", "yes", "t"].contains($0.lowercased()) }
    }

    /// A value where only one text makes sense.
    /// - Throws: ``FeedError`` `.invalid` for a list or an object.
    func one(_ name: String) throws(FeedError) -> String? {
        guard all(name).count <= 1, !hasMembers(of: name) else { throw .invalid("\(name) must be one value") }
        return self[name]
    }

    /// Whether there is an object of that name, such as `name[part]`.
    func hasMembers(of name: String) -> Bool { values.keys.contains { $0.hasPrefix(name + "[") } }
}
