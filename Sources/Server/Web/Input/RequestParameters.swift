import FeedAPI
import FeedCore
import FeedFiles
import HTTPTypes
import NIOCore

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
    /// Parses `a=1&b=2` (`application/x-www-form-urlencoded` of the URL Standard). A malformed escape is kept
    /// literally.
    /// - Throws: ``FeedError`` `.tooLarge`.
    init(form text: some StringProtocol, upTo maximumCount: Int = Self.maximumCount) throws(FeedError) {
        self.init(upTo: maximumCount)
        for pair in text.utf8.lazy.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            try append(decoded(pair[..<equals]), decoded(pair[equals...].dropFirst()))
        }
    }

    private mutating func decoded(_ text: some Collection<UInt8>) -> String {
        if let decoded = String(validating: Self.unescaped(Array(text)), as: UTF8.self) { return decoded }
        hasInvalidUTF8 = true
        return String(decoding: text, as: UTF8.self)
    }

    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let high = Hexadecimal.value(ofDigit: text[index + 1]),
                let low = Hexadecimal.value(ofDigit: text[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : text[index])
                index += 1
            }
        }
        return bytes
    }

    /// The text of a form, which must be UTF-8.
    /// - Throws: ``FeedError`` `.malformed`.
    static func validated(_ bytes: some Sequence<UInt8>) throws(FeedError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw notUTF8 }
        return text
    }

    static let notUTF8 = FeedError.malformed("The form is not valid UTF-8")
}

extension RequestParameters {
    /// The part being read.
    private struct Part {
        let head: MultipartHead
        var bytes: [UInt8] = []
    }

    /// Reads the fields of `multipart/form-data`, and the names of its file parts.
    /// - Throws: ``FeedError`` `.malformed`, `.tooLarge`.
    init(multipart body: ByteBuffer, contentType: String?, upTo maximumCount: Int) throws(FeedError) {
        self.init(upTo: maximumCount)
        var parser = MultipartParser(boundary: try MultipartBoundary.parse(contentType), style: .strict)
        var part: Part?
        for event in try parser.feed(body) { try take(event, &part) }
        try parser.finish(lengthUsedUp: true)
    }

    /// Reads the fields of `multipart/form-data` piece by piece, and drops its files.
    /// - Parameter limit: The maximum size of the values of all fields together in bytes, without their names.
    /// - Throws: ``FeedError`` `.malformed`, `.tooLarge`, `.invalid` for U+0000.
    static func withoutFiles(of request: Request, upTo limit: Int) async throws -> RequestParameters {
        var parser = MultipartParser(
            boundary: try MultipartBoundary.parse(request.headers[.contentType]), style: .strict)
        var (values, part, fieldBytes, bytes) = (RequestParameters(), Part?.none, 0, Int64(0))
        try await request.readForm { piece in
            bytes += Int64(piece.readableBytes)
            for event in try parser.feed(piece) {
                if case .data(let data) = event, part?.head.isFile == false { fieldBytes += data.readableBytes }
                guard fieldBytes <= limit, bytes <= Limits.refusedFormBytes else {
                    throw FeedError(.tooLarge, "The body is too large")
                }
                try values.take(event, &part)
            }
        }
        try parser.finish(lengthUsedUp: true)
        return try values.withoutNUL()
    }

    private mutating func take(_ event: MultipartParser.Event, _ part: inout Part?) throws(FeedError) {
        switch event {
        case .begin(let head): part = Part(head: head)
        case .data(let data):
            guard let head = part?.head else { return }
            if head.isFile { note(file: head.name) } else { part?.bytes.append(contentsOf: data.readableBytesView) }
        case .end:
            if let part, !part.head.isFile { try append(part.head.name, try Self.validated(part.bytes)) }
            part = nil
        }
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
