/// The issuer and the subject of a certificate as encoded bytes (RFC 5280 §4.1). Pure.
struct CertificateNames: Equatable {
    let issuer: ArraySlice<UInt8>
    let subject: ArraySlice<UInt8>

    var isSelfIssued: Bool { issuer.elementsEqual(subject) }

    /// - Parameter der: The certificate in DER form; `nil` if it is malformed.
    init?(der: [UInt8]) {
        var outer = DERReader(der[...])
        guard let certificate = outer.next(tag: 0x30) else { return nil }
        var body = DERReader(certificate)
        guard let contents = body.next(tag: 0x30) else { return nil }
        var fields = DERReader(contents)
        // The version is optional; the serial number, the algorithm, the issuer, the validity and the subject follow.
        _ = fields.next(tag: 0xA0)
        guard fields.next(tag: 0x02) != nil, fields.next(tag: 0x30) != nil, let issuer = fields.next(tag: 0x30),
            fields.next(tag: 0x30) != nil, let subject = fields.next(tag: 0x30)
        else { return nil }
        (self.issuer, self.subject) = (issuer, subject)
    }
}

/// Reads the elements of a DER sequence (X.690 §8.1).
private struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The content of the next element, if it has this tag; otherwise nothing is consumed.
    mutating func next(tag: UInt8) -> ArraySlice<UInt8>? {
        var bytes = rest
        guard bytes.popFirst() == tag, let length = Self.length(&bytes), length <= bytes.count else { return nil }
        rest = bytes.dropFirst(length)
        return bytes.prefix(length)
    }

    /// Lengths of up to three bytes; longer certificates do not exist.
    private static func length(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.popFirst() else { return nil }
        guard first >= 0x80 else { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...3).contains(count), bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
}
