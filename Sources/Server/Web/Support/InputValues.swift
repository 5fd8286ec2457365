import FeedAPI
import FeedCore
import FeedFiles
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// What a request carries by name: from the query, a form or a JSON object. Names keep a trailing `[]` away; what stands
/// inside an object has a name such as `source[privacy]`, inside a list of objects `fields[0][name]`.
struct InputValues: Sendable {
    private var values: [String: [String]] = [:]
    /// Whether there was an escape that is no UTF-8.
    private(set) var isGarbled = false
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

    mutating func append(_ name: String, _ value: String) {
        values[name.hasSuffix("[]") ? String(name.dropLast(2)) : name, default: []].append(value)
    }

    mutating func note(file name: String) { files.insert(name) }

    mutating func note(emptyList name: String) { emptyLists.insert(name) }

    mutating func merge(_ other: InputValues) {
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

    /// An id; empty means missing.
    /// - Throws: ``FeedError`` `.malformed` when it is no number.
    func id(_ name: String) throws(FeedError) -> Int64? {
        guard let text = self[name], !text.isEmpty else { return nil }
        guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { throw .malformed("\(name) is no id") }
        return Int64(text) ?? .max
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

extension InputValues {
    /// Reads `a=1&b=2` (the URL standard's form encoding). A broken escape stands for itself.
    init(form text: some StringProtocol) {
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            append(decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
        }
    }

    private mutating func decoded(_ text: some StringProtocol) -> String {
        let bytes = Self.unescaped(Array(text.utf8))
        if let decoded = String(validating: bytes, as: UTF8.self) { return decoded }
        isGarbled = true
        return String(text)
    }

    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count, let high = text[index + 1].hexDigit,
                let low = text[index + 2].hexDigit
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

    /// Objects inside objects that are looked into.
    private static let maximumDepth = 4
    /// Bytes of the name of what stands in an object.
    private static let maximumName = 200

    /// Reads a JSON object of plain values, and of arrays and objects of them.
    /// - Throws: ``FeedError`` `.malformed`.
    init(json bytes: Data) throws(FeedError) {
        guard !Self.isDeep(bytes), let object = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any] else {
            throw .malformed("The body is no JSON object")
        }
        for (name, value) in object { try add(value, as: name, depth: 0) }
    }

    private mutating func add(_ value: Any, as name: String, depth: Int) throws(FeedError) {
        guard depth < Self.maximumDepth else { return }
        // Each member has a name of its own, so long names with many members would multiply what was sent.
        guard name.utf8.count <= Self.maximumName else { throw .malformed("The body has a name that is too long") }
        switch value {
        case let object as [String: Any]:
            if object.isEmpty { note(emptyList: name) }
            for (key, value) in object { try add(value, as: "\(name)[\(key)]", depth: depth + 1) }
        case let list as [Any]:
            if list.isEmpty { note(emptyList: name) }
            for (index, element) in list.enumerated() {
                try add(element, as: element is [String: Any] ? "\(name)[\(index)]" : name, depth: depth + 1)
            }
        default: if let text = Self.text(value) { append(name, text) }
        }
    }

    private static func text(_ value: Any) -> String? {
        switch value {
        case let text as String: text
        case let number as NSNumber:
            "\(number)" == "1" && number.isBoolean ? "true" : number.isBoolean ? "false" : "\(number)"
        default: nil
        }
    }

    /// Whether brackets nest deeper than any input of ours does: a parser that recurses must not see that.
    private static func isDeep(_ bytes: Data) -> Bool {
        var depth = 0
        var isText = false
        var isEscaped = false
        for byte in bytes {
            if isText {
                if byte == 0x22, !isEscaped { isText = false }
                isEscaped = byte == 0x5C && !isEscaped
                continue
            }
            isText = byte == 0x22
            if byte == 0x5B || byte == 0x7B { depth += 1 }
            if byte == 0x5D || byte == 0x7D { depth -= 1 }
            if depth > 32 { return true }
        }
        return false
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit.
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension NSNumber {
    fileprivate var isBoolean: Bool { String(cString: objCType) == "c" }
}

extension Request {
    /// The values of the query.
    var query: InputValues { InputValues(form: uri.query ?? "") }

    /// The values of the body, in any of the three encodings people send; the query's where the body has none.
    /// - Throws: ``FeedError`` `.malformed`, `.tooLarge`.
    func input(limits: Limits, context: FeedContext) async throws -> InputValues {
        var values = query
        let bytes = try await bytes(upTo: limits.formBytes, context: context)
        let type = headers[.contentType]?.lowercased() ?? ""
        if bytes.readableBytes == 0 { return values }
        if type.hasPrefix("application/json") {
            values.merge(try InputValues(json: Data(bytes.readableBytesView)))
        } else if type.hasPrefix("multipart/form-data") {
            values.merge(try Self.fields(bytes, contentType: headers[.contentType]))
        } else {
            guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
                throw FeedError.malformed("The form is no valid UTF-8")
            }
            let form = InputValues(form: text)
            guard !form.isGarbled else { throw FeedError.malformed("The form is no valid UTF-8") }
            values.merge(form)
        }
        return values
    }

    /// The whole body, when it is small.
    func bytes(upTo limit: Int, context: FeedContext) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap(Int.init), length > limit {
            throw FeedError(.tooLarge, "The body is larger than \(limit) bytes")
        }
        context.wantBody()
        return try await body.collect(upTo: limit)
    }

    private static func fields(_ bytes: ByteBuffer, contentType: String?) throws -> InputValues {
        var parser = MultipartParser(boundary: try MultipartBoundary.parse(contentType), style: .strict)
        var values = InputValues()
        var current: (name: String, bytes: [UInt8])?
        var fileName: String?
        for event in try parser.feed(bytes) {
            switch event {
            case .begin(let head):
                current = head.isFile ? nil : (head.name, [])
                fileName = head.isFile ? head.name : nil
            case .data(let data):
                current?.bytes.append(contentsOf: data.readableBytesView)
                if let fileName { values.note(file: fileName) }
            case .end:
                guard let field = current else { continue }
                guard let text = String(validating: field.bytes, as: UTF8.self) else {
                    throw FeedError.malformed("The form is no valid UTF-8")
                }
                values.append(field.name, text)
                current = nil
            }
        }
        try parser.finish(lengthUsedUp: true)
        return values
    }
}

extension FeedContext {
    /// A part of the path as text.
    /// - Throws: ``FeedError`` `.malformed` for a broken escape or bytes that are no UTF-8.
    func segment(_ name: String) throws -> String {
        guard let text = try parameters.require(name).removingStrictPercentEncoding else {
            throw FeedError.malformed("The address is malformed")
        }
        return text
    }

    /// A part of the path as an id; what is no id is nobody's.
    /// - Throws: ``FeedError`` `.notFound`.
    func id(_ name: String = "id") throws -> Int64 {
        guard let text = parameters.get(name), text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let id = Int64(text)
        else {
            throw FeedError.notFound
        }
        return id
    }
}
