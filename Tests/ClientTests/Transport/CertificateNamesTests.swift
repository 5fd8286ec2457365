import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct CertificateNamesTests {
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            content.count < 128
            ? [UInt8(content.count)] : [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
        return [tag] + length + content
    }

    private static func certificate(
        issuer: String, subject: String, version: [UInt8] = element(0xA0, [2, 1, 2]), rest: Int = 200
    ) -> [UInt8] {
        let fields = [
            version, element(0x02, [1]), element(0x30, [6, 1, 1]), element(0x30, Array(issuer.utf8)),
            element(0x30, [23, 0]), element(0x30, Array(subject.utf8)), element(0x30, Array(repeating: 0, count: rest)),
        ]
        return element(0x30, element(0x30, fields.flatMap(\.self)) + element(0x30, [6, 1, 1]))
    }

    @Test func namesAreFound() throws {
        let names = try #require(CertificateNames(der: Self.certificate(issuer: "authority", subject: "server")))
        #expect(Array(names.issuer) == Array("authority".utf8) && Array(names.subject) == Array("server".utf8))
        #expect(!names.isSelfIssued)
    }

    @Test func selfIssuedCertificatesAreRecognized() throws {
        // Certificates of version 1 do not state it.
        for version in [Self.element(0xA0, [2, 1, 2]), []] {
            let names = CertificateNames(der: Self.certificate(issuer: "server", subject: "server", version: version))
            #expect(try #require(names).isSelfIssued)
        }
    }

    @Test func truncatedCertificatesAreRejected() {
        let der = Self.certificate(issuer: "authority", subject: "server")
        for count in 0..<der.count { #expect(CertificateNames(der: Array(der.prefix(count))) == nil, "\(count) bytes") }
    }

    @Test(
        arguments: [
            [], [0x30], [0x30, 0x80], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x83, 0xFF, 0xFF, 0xFF],
            [0x30, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x31, 0x00],
        ] as [[UInt8]])
    func malformedCertificatesAreRejected(der: [UInt8]) { #expect(CertificateNames(der: der) == nil) }
}
