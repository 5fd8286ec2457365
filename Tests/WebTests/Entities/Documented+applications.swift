extension Documented {
    /// https://docs.joinmastodon.org/entities/Application/, as returned by `apps/verify_credentials`.
    static let application: [String: Shape.Field] = [
        // 0 for a token that was issued without an application.
        "id": .must(.text), "name": .must(.text), "website": .must(.orNull(.address)), "scopes": .must(.list(.text)),
        "redirect_uris": .must(.list(.text)), "redirect_uri": .must(.text), "vapid_key": .must(.text),
    ]

    /// https://docs.joinmastodon.org/entities/Application/#CredentialApplication
    static let credentialApplication = application.merging([
        "id": .must(.id), "client_id": .must(.text), "client_secret": .must(.text),
        "client_secret_expires_at": .must(.count),
    ]) { _, new in new }

    /// https://docs.joinmastodon.org/entities/Token/ and RFC 6749 §5.1. No null: `int(None)` fails.
    static let token: [String: Shape.Field] = [
        "access_token": .must(.text), "token_type": .must(.word(["Bearer"])), "scope": .must(.text),
        "created_at": .must(.count), "refresh_token": .may(.text), "expires_in": .may(.count),
    ]

    /// `tokenInfo` of https://docs.gotosocial.org/en/latest/api/swagger/, with `current`.
    static let tokenInfo: [String: Shape.Field] = [
        "id": .must(.id), "created_at": .must(.time), "last_used": .may(.time), "scope": .must(.text),
        "current": .must(.flag),
        "application": .must(.object(["name": .must(.text), "website": .must(.orNull(.address))])),
    ]

    /// https://docs.joinmastodon.org/entities/Error/ and RFC 6749 §5.2.
    static let error: [String: Shape.Field] = ["error": .must(.text), "error_description": .may(.text)]

    /// https://docs.joinmastodon.org/entities/V1_Instance/
    static let instanceV1: [String: Shape.Field] = [
        "uri": .must(.text), "title": .must(.text), "short_description": .must(.text), "description": .must(.text),
        "email": .must(.text), "version": .must(.text), "urls": .must(.object(["streaming_api": .must(.webSocket)])),
        "stats": .must(
            .object(["user_count": .must(.count), "status_count": .must(.count), "domain_count": .must(.count)])),
        "thumbnail": .must(.orNull(.address)), "languages": .must(.list(.text)), "registrations": .must(.flag),
        "approval_required": .must(.flag), "invites_enabled": .must(.flag),
        "configuration": .must(.object(configuration)), "contact_account": .must(.orNull(.entity(.account))),
        "rules": .must(.list(.entity(.rule))),
    ]

    /// https://docs.joinmastodon.org/entities/Instance/
    static let instanceV2: [String: Shape.Field] = [
        "domain": .must(.text), "title": .must(.text), "version": .must(.text), "source_url": .must(.address),
        "description": .must(.text),
        "usage": .must(.object(["users": .must(.object(["active_month": .must(.count)]))])),
        "thumbnail": .must(
            .object([
                "url": .must(.address), "blurhash": .must(.orNull(.text)),
                "versions": .must(.object(["@1x": .must(.address), "@2x": .must(.address)])),
            ])),
        "icon": .must(.list(.object(["src": .must(.address), "size": .must(.text)]))),
        "languages": .must(.list(.text)),
        "configuration": .must(.object(configuration.merging(configurationV2) { _, new in new })),
        "registrations": .must(
            .object([
                "enabled": .must(.flag), "approval_required": .must(.flag), "message": .must(.orNull(.text)),
                "url": .must(.orNull(.address)), "min_age": .may(.null), "reason_required": .may(.orNull(.flag)),
            ])),
        "api_versions": .must(.object(["mastodon": .must(.count)])),
        "contact": .must(.object(["email": .must(.text), "account": .must(.orNull(.entity(.account)))])),
        "rules": .must(.list(.entity(.rule))),
    ]

    private static let configuration: [String: Shape.Field] = [
        "accounts": .must(
            .object([
                "max_featured_tags": .must(.count), "max_pinned_statuses": .must(.count),
                "max_profile_fields": .may(.count), "profile_field_name_limit": .may(.count),
                "profile_field_value_limit": .may(.count), "max_note_length": .may(.count),
                "max_display_name_length": .may(.count),
            ])),
        "statuses": .must(
            .object([
                "max_characters": .must(.count), "max_media_attachments": .must(.count),
                "characters_reserved_per_url": .must(.count),
            ])),
        "media_attachments": .must(
            .object([
                "supported_mime_types": .must(.list(.text)), "image_size_limit": .must(.count),
                "image_matrix_limit": .must(.count), "video_size_limit": .must(.count),
                "video_frame_rate_limit": .must(.count), "video_matrix_limit": .must(.count),
                "description_limit": .must(.count),
            ])),
        "polls": .must(
            .object([
                "max_options": .must(.count), "max_characters_per_option": .must(.count),
                "min_expiration": .must(.count), "max_expiration": .must(.count),
            ])),
    ]

    private static let configurationV2: [String: Shape.Field] = [
        "urls": .must(
            .object([
                "streaming": .must(.webSocket), "status": .must(.orNull(.address)), "about": .may(.orNull(.address)),
                "privacy_policy": .may(.orNull(.address)), "terms_of_service": .may(.orNull(.address)),
            ])),
        "vapid": .must(.object(["public_key": .must(.text)])),
        "translation": .must(.object(["enabled": .must(.flag)])),
        "timelines_access": .may(
            .object([
                "live_feeds": .may(access), "hashtag_feeds": .may(access),
                "trending_link_feeds": .may(access),
            ])),
    ]

    private static let access = Shape.object([
        "local": .must(.word(["public", "authenticated", "disabled"])),
        "remote": .must(.word(["public", "authenticated", "disabled"])),
    ])

    /// https://docs.joinmastodon.org/entities/ExtendedDescription/ and PrivacyPolicy/
    static let page: [String: Shape.Field] = ["updated_at": .must(.time), "content": .must(.text)]

    /// https://docs.joinmastodon.org/entities/Rule/
    static let rule: [String: Shape.Field] = ["id": .must(.text), "text": .must(.text), "hint": .must(.text)]

    /// http://nodeinfo.diaspora.software/ns/schema/2.0
    static let nodeInfo: [String: Shape.Field] = [
        "version": .must(.word(["2.0"])),
        "software": .must(.object(["name": .must(.word(["feedserver"])), "version": .must(.text)])),
        "protocols": .must(.list(.text)),
        "services": .must(.object(["inbound": .must(.list(.text)), "outbound": .must(.list(.text))])),
        "openRegistrations": .must(.flag),
        "usage": .must(
            .object([
                "users": .must(
                    .object(["total": .must(.count), "activeMonth": .must(.count), "activeHalfyear": .must(.count)])),
                "localPosts": .must(.count), "localComments": .may(.count),
            ])),
        "metadata": .must(.anyObject),
    ]

    static let nodeInfoLinks: [String: Shape.Field] = [
        "links": .must(.list(.object(["rel": .must(.address), "href": .must(.address)])))
    ]
}
