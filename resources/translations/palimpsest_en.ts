<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>ChatWords</name>
    <message numerus="yes">
        <source>Folded %n message(s) · {before} → {after} tokens</source>
        <translation>
            <numerusform>Folded %n message · {before} → {after} tokens</numerusform>
            <numerusform>Folded %n messages · {before} → {after} tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthWords</name>
    <message numerus="yes">
        <source>≈ %n turn(s) left</source>
        <translation>
            <numerusform>≈ %n turn left</numerusform>
            <numerusform>≈ %n turns left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeyCard</name>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OnboardingView</name>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProviderWords</name>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProvidersPage</name>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SidebarViewModel</name>
    <message numerus="yes">
        <source>Saved as {file}, with a sentence for %n original(s) that could not be read</source>
        <translation>
            <numerusform>Saved as {file}, with a sentence for %n original that could not be read</numerusform>
            <numerusform>Saved as {file}, with a sentence for %n originals that could not be read</numerusform>
        </translation>
    </message>
</context>
</TS>
