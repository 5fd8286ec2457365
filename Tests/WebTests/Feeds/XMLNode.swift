import Foundation

/// An element of a feed. The parser accepts only what a well-formed feed contains: no DTD, no CDATA, no comments.
struct XMLNode: Sendable {
    let name: String
    var attributes: [String: String] = [:]
    var text = ""
    var children: [XMLNode] = []

    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    /// The first child with a name.
    subscript(name: String) -> XMLNode? { children.first { $0.name == name } }

    /// The text of the first child with a name.
    func text(of name: String) -> String? { self[name]?.text }

    func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

    /// The address of the first link of Atom with a relation.
    func link(_ relation: String) -> String? {
        children.first { ["link", "atom:link"].contains($0.name) && $0.attributes["rel"] == relation }?
            .attributes["href"]
    }

    static func parse(_ data: Data) throws -> XMLNode {
        guard let text = String(validating: data, as: UTF8.self) else { throw Malformed(description: "not UTF-8") }
        return try parse(text)
    }

    static func parse(_ text: String) throws -> XMLNode {
        var parser = XMLParser(text)
        return try parser.document()
    }
}

/// A recursive descent parser of XML 1.0.
private struct XMLParser {
    private let scalars: [Unicode.Scalar]
    private var index = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func document() throws -> XMLNode {
        try expect("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
        let root = try element()
        try expect("\n")
        guard index == scalars.count else { throw fault("content after the root") }
        return root
    }

    private mutating func element() throws -> XMLNode {
        try expect("<")
        var node = XMLNode(name: name())
        while take(" ") {
            let key = name()
            try expect("=\"")
            guard node.attributes[key] == nil else { throw fault("repeated attribute") }
            node.attributes[key] = try characters { $0 == "\"" }
            try expect("\"")
        }
        if take("/>") { return node }
        try expect(">")
        while !take("</\(node.name)>") {
            if index < scalars.count, scalars[index] == "<" {
                node.children.append(try element())
            } else {
                node.text += try characters { $0 == "<" }
            }
        }
        return node
    }

    private mutating func name() -> String {
        var name = ""
        while index < scalars.count,
            scalars[index].properties.isAlphabetic || "-:".unicodeScalars.contains(scalars[index])
        {
            name.unicodeScalars.append(scalars[index])
            index += 1
        }
        return name
    }

    private mutating func characters(until isEnd: (Unicode.Scalar) -> Bool) throws -> String {
        var text = String.UnicodeScalarView()
        while index < scalars.count, !isEnd(scalars[index]) {
            let scalar = scalars[index]
            index += 1
            guard scalar != "<", scalar != ">", Self.isAllowed(scalar) else { throw fault("raw \(scalar.value)") }
            text.append(scalar == "&" ? try reference() : scalar)
        }
        guard index < scalars.count else { throw fault("the document ends") }
        return String(text)
    }

    private mutating func reference() throws -> Unicode.Scalar {
        let entities: [(String, Unicode.Scalar)] = [
            ("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("#9;", "\t"), ("#10;", "\n"),
        ]
        for (name, scalar) in entities where take(name) { return scalar }
        throw fault("unknown reference")
    }

    /// XML 1.0 §2.2, without the control characters that it discourages.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x20..<0x7F, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    private mutating func take(_ text: String) -> Bool {
        guard scalars[index...].starts(with: text.unicodeScalars) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    private mutating func expect(_ text: String) throws {
        guard take(text) else { throw fault("expected \(text)") }
    }

    private func fault(_ text: String) -> XMLNode.Malformed {
        let near = String(String.UnicodeScalarView(scalars[max(0, index - 40)..<min(scalars.count, index + 20)]))
        return XMLNode.Malformed(description: text + " near " + near)
    }
}
