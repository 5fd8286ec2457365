import FeedAPI
import FeedCore

/// The named values of a request, from its query, a form or a JSON object. A trailing `[]` is removed from names; a
/// member of an object is named `source[privacy]`, a member of an object in a list `fields[0][name]`.
struct RequestParameters: Sendable {
    /// The usual maximum number of values per request; the cost of a lookup is linear in their number.
    static let maximumCount = 300

    private let maximumCount: Int
    private var values: [String: [String]] = [:]
    private var count = 0
    /// Whether any name contained a bracket, as those of lists and objects do. Most requests have none, and reading a value
    /// would otherwise look at all names.
    private var hasBrackets = false
    /// Whether a percent-escape decoded to invalid UTF-8.
    var hasInvalidUTF8 = false
    /// Whether a name or a value contains U+0000, at which databases truncate text.
    private(set) var containsNUL = false
    /// The names of file parts that are not empty.
    private(set) var files: Set<String> = []
    /// The names of empty JSON arrays and objects.
    private(set) var emptyLists: Set<String> = []
    /// The names of JSON values that are `null`.
    private(set) var nulls: Set<String> = []
    /// The last object of each list in the notation without numbers, and the members that it has so far.
    private var lastObjects: [String: (number: Int, members: Set<String>)] = [:]

    init(upTo maximumCount: Int = Self.maximumCount) { self.maximumCount = maximumCount }

    subscript(name: String) -> String? { values[name]?.last }

    /// All values of a list: `name`, `name[]` or `name[0]`, `name[1]` …
    func all(_ name: String) -> [String] {
        guard hasBrackets else { return values[name] ?? [] }
        let numbered = values.keys.compactMap { key -> (Int, String)? in
            Self.brackets(of: key, after: name).flatMap { Int($0) }.map { ($0, key) }
        }
        return (values[name] ?? []) + numbered.sorted { $0.0 < $1.0 }.flatMap { values[$0.1] ?? [] }
    }

    /// All values with their names, those of each name in the order in which they were sent.
    var pairs: [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.flatMap { name, values in values.map { (name: name, value: $0) } }
    }

    /// - Throws: ``FeedError`` `.tooLarge` beyond the maximum number.
    mutating func append(_ name: String, _ value: String) throws(FeedError) {
        count += 1
        guard count <= maximumCount else {
            throw FeedError(.tooLarge, "The request contains more than \(maximumCount) values")
        }
        containsNUL = containsNUL || name.utf8.contains(0) || value.utf8.contains(0)
        let isBracketed = name.utf8.contains(UInt8(ascii: "["))
        hasBrackets = hasBrackets || isBracketed
        let name = isBracketed ? numbered(name) : name
        let isList = name.utf8.suffix(2).elementsEqual("[]".utf8)
        values[isList ? String(Substring(name.utf8.dropLast(2))) : name, default: []].append(value)
    }

    /// The name with the number of its object: of `list[][a]=1&list[][b]=2&list[][a]=3`, the last value belongs to the
    /// second object, because it repeats a member.
    private mutating func numbered(_ name: String) -> String {
        guard let brackets = name.utf8.firstRange(of: "[][".utf8) else { return name }
        let (list, member) = (String(name[..<brackets.lowerBound]), String(name[brackets.upperBound...]))
        var last = lastObjects[list] ?? (0, [])
        if last.members.contains(member) { last = (last.number + 1, []) }
        last.members.insert(member)
        lastObjects[list] = last
        return "\(list)[\(last.number)][\(member)"
    }

    mutating func note(file name: String) { files.insert(name) }

    mutating func note(emptyList name: String) { emptyLists.insert(name) }

    mutating func note(null name: String) { nulls.insert(name) }

    /// - Throws: ``FeedError`` `.invalid` if any text contains U+0000, since storing it would silently truncate it.
    func withoutNUL() throws(FeedError) -> RequestParameters {
        guard !containsNUL else { throw .invalid("Text must not contain U+0000") }
        return self
    }

    mutating func merge(_ other: RequestParameters) {
        containsNUL = containsNUL || other.containsNUL
        hasBrackets = hasBrackets || other.hasBrackets
        values.merge(other.values) { _, new in new }
        files.formUnion(other.files)
        emptyLists.formUnion(other.emptyLists)
        nulls.formUnion(other.nulls)
    }

    /// The members of each object in a list, in the order of the indices; `nil` if there are none.
    /// - Throws: ``FeedError`` `.invalid` for a member with several values, or that is an object.
    func objects(_ name: String) throws(FeedError) -> [[String: String]]? {
        guard hasBrackets else { return nil }
        var objects: [Int: [String: String]] = [:]
        let separator = "][".utf8
        for (key, list) in values {
            guard let brackets = Self.brackets(of: key, after: name) else { continue }
            let parts = brackets.utf8.split(separator: separator, omittingEmptySubsequences: false).map {
                String(Substring($0))
            }
            guard parts.count >= 2, let number = Int(parts[0]) else { continue }
            guard parts.count == 2, list.count == 1 else {
                throw .invalid("\(name): \(parts[1]) must be a single value")
            }
            objects[number, default: [:]][parts[1]] = list[0]
        }
        return objects.isEmpty ? nil : objects.sorted { $0.key < $1.key }.map(\.value)
    }

    /// A Boolean: `true`, `1`, `on`, `yes` and `t` in any letter case are true, anything else is false; `nil` if
    /// missing.
    func flag(_ name: String) -> Bool? {
        self[name].map(Self.isTrue)
    }

    /// Whether the text of a Boolean means true.
    static func isTrue(_ text: String) -> Bool { ["true", "1", "on", "yes", "t"].contains(text.lowercased()) }

    /// A value that must be a single text.
    /// - Throws: ``FeedError`` `.invalid` for a list, an object or a repeated field.
    func one(_ name: String) throws(FeedError) -> String? {
        guard isSingle(name) else { throw .invalid("\(name) must be a single value") }
        return self[name]
    }

    /// Whether a name has no more than one value: it is no list, was not repeated, and is no object.
    func isSingle(_ name: String) -> Bool { (values[name]?.count ?? 0) <= 1 && !hasMembers(of: name) }

    /// Whether an object of this name was sent, as in `name[part]`.
    func hasMembers(of name: String) -> Bool {
        hasBrackets && values.keys.contains { $0.utf8.starts(with: (name + "[").utf8) }
    }

    /// The text between the brackets of a key, for example `0][name` of `fields[0][name]`; `nil` for a key with another
    /// name.
    private static func brackets(of key: String, after name: String) -> Substring? {
        guard key.utf8.starts(with: (name + "[").utf8), key.utf8.last == UInt8(ascii: "]") else { return nil }
        return Substring(key.utf8.dropFirst(name.utf8.count + 1).dropLast())
    }
}

extension RequestParameters {
    /// Whether an empty list was sent: `[]` or `{}` in JSON, `name=` or `name[]=` in a form, which has no
    /// other notation. A missing list does not count as empty.
    func isEmptyList(_ name: String) -> Bool {
        let values = all(name)
        return emptyLists.contains(name) || !values.isEmpty && values.allSatisfy(\.isEmpty)
    }
}

/// The names of all integer parameters. Integers are read only through this type, so that a test can send values within
/// and beyond the range of each parameter to every endpoint.
enum IntegerParameter: String, CaseIterable {
    case limit, offset, id, duration, choices, wait
    case expiresIn = "expires_in"
    case statusID = "status_id"
    case keywordID = "keywords_attributes[0][id]"
    case maxID = "max_id"
    case sinceID = "since_id"
    case minID = "min_id"
    case accountID = "account_id"
    case accountIDs = "account_ids"
    case targetAccountID = "target_account_id"
    case statusIDs = "status_ids"
    case mediaIDs = "media_ids"
    case ruleIDs = "rule_ids"
    case reportID = "report_id"
    case inReplyToID = "in_reply_to_id"
    case pollSeconds = "poll[expires_in]"
    case homeLastReadID = "home[last_read_id]"
    case notificationsLastReadID = "notifications[last_read_id]"
    case homeVersion = "home[version]"
    case notificationsVersion = "notifications[version]"
}

extension RequestParameters {
    /// An id; `nil` if missing or empty. A number beyond the range of an id becomes the largest id.
    /// - Throws: ``FeedError`` `.malformed` unless it is a single value that consists of digits.
    func id(_ parameter: IntegerParameter) throws(FeedError) -> Int64? {
        guard isSingle(parameter.rawValue) else { throw .malformed("\(parameter.rawValue) is not an id") }
        guard let text = self[parameter.rawValue], !text.isEmpty else { return nil }
        guard text.isDigits else { throw .malformed("\(parameter.rawValue) is not an id") }
        return Int64(text) ?? .max
    }

    /// The ids among the first `limit` values of a list.
    func ids(_ parameter: IntegerParameter, limit: Int) -> [Int64] {
        all(parameter.rawValue).prefix(limit).compactMap { Int64($0) }
    }

    /// The ids of attached files, without repetitions and empty values.
    /// - Throws: ``FeedError`` `.invalid` unless all consist of digits.
    func mediaIDs() throws(FeedError) -> [Int64] {
        var ids: [Int64] = []
        for text in all(IntegerParameter.mediaIDs.rawValue) where !text.isEmpty {
            guard text.isDigits else { throw .invalid("Media \(text.prefix(20)) not found") }
            let id = Int64(text) ?? .max
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// The accounts in `account_ids`, without repetitions.
    /// - Throws: ``FeedError`` `.invalid` for more than `limit`, `.notFound` for one that is not an id.
    func accountIDs(upTo limit: Int) throws(FeedError) -> [Int64] {
        let texts = all(IntegerParameter.accountIDs.rawValue).filter { !$0.isEmpty }
        guard texts.count <= limit else { throw .invalid("At most \(limit) ids are allowed per request") }
        var ids: [Int64] = []
        for text in texts {
            guard text.isDigits, let id = Int64(text) else { throw .notFound }
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// A number of entries, clamped to `minimum...maximum`; `standard` if it is missing or not a number.
    func count(_ parameter: IntegerParameter, standard: Int, maximum: Int, minimum: Int = 1) -> Int {
        let requested = self[parameter.rawValue].flatMap { Int($0) } ?? standard
        return max(minimum, min(requested, maximum))
    }

    /// An integer within `range`; `nil` if missing or empty.
    /// - Throws: ``FeedError`` `.invalid` with `message` for anything else, also for several values.
    func integer(
        _ parameter: IntegerParameter, in range: ClosedRange<Int64>, _ message: String
    ) throws(FeedError) -> Int64? {
        guard isSingle(parameter.rawValue) else { throw .invalid(message) }
        guard let text = self[parameter.rawValue], !text.isEmpty else { return nil }
        guard let number = Int64(text), range.contains(number) else { throw .invalid(message) }
        return number
    }
}
